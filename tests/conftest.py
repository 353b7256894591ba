"""How hypothesis searches: the same examples on every run, or fresh ones by the thousand for `make fuzz`.

A test run is a verdict on a commit, so it must not depend on luck: what fails in CI fails on every desk, and what passes stays green.
Looking for new counterexamples is a job of its own; what it finds becomes an `@example` of the test.
"""

import os

from hypothesis import HealthCheck, settings

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "5000")),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
