"""What all tests share: examples that are drawn at random are given time, for a busy machine is no failure."""

from hypothesis import HealthCheck, settings

settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
