"""Models over litellm, which is transport alone: keys are checked, calls bounded, and failures retried here.

It is imported at the first call, never before: it takes seconds and 150 MB. Before the import it is told to stay off
the network and out of `./.env`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from crawloop.errors import CompletionError, NoAnswer, how_to_install
from crawloop.llm import failure
from crawloop.llm.pricing import Price, Reply, price_list
from crawloop.model.question import Question

ATTEMPTS = 4
WITHOUT_IT = f"a model is to be asked, but litellm is not installed: {how_to_install('llm')}; or run with --no-llm"
_ENVIRONMENT = {"LITELLM_OFFLINE_MODE": "true", "LITELLM_MODE": "PRODUCTION", "LITELLM_LOG": "ERROR"}
_NO_KEY = "not-needed"
_MOST_QUOTED = 200


class LiteLLMCompleter:
    """Asks hosted models, or with `base_url` a server that speaks OpenAI's protocol.

    `timeout` is in seconds for a whole attempt; `prices` are dollars per million tokens by configured name, and
    alone count where `base_url` is set: a local server may well call itself by a famous name.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        timeout: float = 60.0,
        max_tokens: int = 8_000,
        prices: Mapping[str, Mapping[str, float]] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._base_url = base_url
        self._timeout = timeout
        self.max_tokens = max_tokens
        self._prices = price_list(prices or {})
        self._sleep = sleep
        self._formless: set[str] = set()

    async def complete(self, *, system: str, user: str, model: str) -> str:
        return (await self.ask(Question(system, user, model), 0.0)).text

    def problem(self, model: str) -> str | None:
        """Why this model cannot be asked on this machine (no litellm, no key), or None. Asks nobody."""
        try:
            transport = _transport()
        except CompletionError as error:
            return str(error)
        if self._base_url is not None:
            return None
        missing = transport.validate_environment(model).get("missing_keys") or []
        return f"{model} needs {' and '.join(missing)} in the environment" if missing else None

    def ceiling(self, question: Question) -> float | None:
        """The most that the call can cost in dollars, None where the price is unknown."""
        price = self._price(question.model)
        return price.ceiling(question.system + question.user, self.max_tokens) if price else None

    async def ask(self, question: Question, temperature: float) -> Reply:
        """One answer; a refusal, and one that was cut off, was paid for and is marked as flawed.

        Raises CompletionError where the provider cannot be asked or answers with an error, NoAnswer where it finds
        fault with the question.
        """
        if problem := await asyncio.to_thread(self.problem, question.model):
            raise CompletionError(problem)
        response = await self._tried(question, temperature)
        reply = self._read(response, question.model)
        price, usage = self._price(question.model), getattr(response, "usage", None)
        if not usage:
            return reply
        dollars = price.cost(usage.prompt_tokens, usage.completion_tokens) if price else None
        return replace(reply, dollars=dollars, asked=usage.prompt_tokens, answered=usage.completion_tokens)

    def _read(self, response: Any, model: str) -> Reply:
        """What the model said, and why it is no answer, if so. Anthropic's refusals come as `content_filter`."""
        if not response.choices:
            return Reply("", flaw=f"{model} gave no answer")
        choice = response.choices[0]
        text = choice.message.content or ""
        refusal = getattr(choice.message, "refusal", None)
        if choice.finish_reason == "length":
            room = f"{self.max_tokens} tokens were not enough: a higher models.max_tokens may help"
            return Reply(text, flaw=f"{model} was cut off; {room}", is_cut=True)
        if refusal or choice.finish_reason == "content_filter":
            words = " ".join((refusal or text).split())[:_MOST_QUOTED]
            return Reply(text, flaw=f"{model} refused to answer: {words or 'it does not say why'}")
        return Reply(text, flaw="" if text.strip() else f"{model} answered with no text")

    async def _tried(self, question: Question, temperature: float) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with asyncio.timeout(self._timeout + 1):
                    return await self._once(question, temperature)
            except Exception as error:
                if self._does_not_know_forms(error, question):
                    continue
                if failure.is_refusal(error):
                    raise NoAnswer(failure.told(error, question.model, attempt)) from error
                wait = failure.wait(error, attempt)
                if wait is None or attempt == ATTEMPTS:
                    raise CompletionError(failure.told(error, question.model, attempt)) from error
                await self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _does_not_know_forms(self, error: Exception, question: Question) -> bool:
        """Whether the model refused the question only for the form asked for, of which it is then asked no more."""
        if question.form is None or question.model in self._formless or not failure.is_of_form(error):
            return False
        self._formless.add(question.model)
        return True

    async def _once(self, question: Question, temperature: float) -> Any:
        transport, model = _transport(), question.model
        form = None if model in self._formless else question.form
        if form is not None and not (self._base_url or transport.supports_response_schema(model)):
            form = None
        local = {"api_base": self._base_url, "api_key": os.environ.get("OPENAI_API_KEY", _NO_KEY)}
        return await transport.acompletion(
            model=model,
            messages=[{"role": "system", "content": question.system}, {"role": "user", "content": question.user}],
            temperature=temperature,
            max_tokens=self.max_tokens,
            timeout=self._timeout,
            num_retries=0,
            max_retries=0,
            drop_params=True,
            **(local if self._base_url else {}),
            **({"response_format": _response_format(form)} if form else {}),
        )

    def _price(self, model: str) -> Price | None:
        if model in self._prices or self._base_url is not None:
            return self._prices.get(model)
        known = _transport().model_cost
        entry = known.get(model) or known.get(model.partition("/")[2]) or {}
        asked, answered = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
        return None if asked is None or answered is None else Price(asked * 1e6, answered * 1e6)


def _response_format(form: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": form, "strict": True}}


def is_installed() -> bool:
    """Whether litellm could be imported, found out without importing it."""
    return find_spec("litellm") is not None


def _transport() -> Any:
    """The litellm module. Raises CompletionError, which says how it is installed."""
    os.environ.update(_ENVIRONMENT)
    try:
        litellm: Any = import_module("litellm")
    except ImportError as error:
        raise CompletionError(WITHOUT_IT) from error
    litellm.suppress_debug_info = True
    return litellm
