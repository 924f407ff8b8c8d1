"""What all tests share: examples that are drawn at random are given time, for a busy machine is no failure, and are the
same whatever modules a worker has loaded; under CI they are the same each time."""

import os

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

settings.register_profile(
    "busy", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("busy")
# Hypothesis draws constants of the modules loaded so far too, and has no setting for it.
providers._get_local_constants = providers.Constants
