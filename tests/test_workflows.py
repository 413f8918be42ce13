"""What GitHub runs and what the image begins with: read, as neither can be run here."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from agent.settings import load_settings
from tests.test_doors import MAKEFILE

yaml = pytest.importorskip("yaml", reason="nothing reads YAML here")

ROOT = Path(__file__).resolve().parents[1]
CHOOSE = ROOT / "docker" / "choose-processor"
V3 = "fpu sse4_2 abm avx avx2 bmi1 bmi2 f16c fma movbe"
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WORKFLOWS = {path.stem: yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader) for path in FILES}
STEPS = [step for workflow in WORKFLOWS.values() for job in workflow["jobs"].values() for step in job["steps"]]


def test_a_job_may_do_no_more_than_it_must():
    """Only what publishes may write, and only what it publishes; what a stranger names runs nowhere as a command."""
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {"contents": "read"}
        assert set(workflow["on"]) == ({"push", "pull_request"} if name == "ci" else {"push"})
    every = [(f"{name}.{key}", job) for name, found in WORKFLOWS.items() for key, job in found["jobs"].items()]
    rights = {name: {k for k, v in job.get("permissions", {}).items() if v == "write"} for name, job in every}
    assert {name: written for name, written in rights.items() if written} == {
        "release.publish": {"id-token"},  # trusted publishing: the index trusts this workflow, and no password exists
        "release.announce": {"contents"},
        "release.image": {"packages"},
        "release.tag": {"packages"},
        "docs.deploy": {"pages", "id-token"},
    }
    assert WORKFLOWS["release"]["jobs"]["publish"]["environment"] == "release"
    assert all(step["with"]["persist-credentials"] == "false" for step in STEPS if "checkout" in step.get("uses", ""))
    assert [step["run"] for step in STEPS if "${{" in step.get("run", "")] == []


def test_every_command_of_a_workflow_exists():
    """Targets of the Makefile, scripts and files of the project, outputs of steps and jobs that others need."""
    commands = "\n".join(step.get("run", "") for step in STEPS)
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    made = set(re.findall(r"\bmake ([a-z-]+)", commands))
    assert made >= {"lint", "test", "docs", "dist"}
    assert made <= targets
    named = re.findall(r"(?<![\w/$-])(?:\.ci|docker|tests|docs|agent)/[\w./-]+", commands)
    assert [file for file in named if not (ROOT / file).exists()] == []
    for workflow in WORKFLOWS.values():
        for job in workflow["jobs"].values():
            needs = job.get("needs", [])
            assert set([needs] if isinstance(needs, str) else needs) <= workflow["jobs"].keys()
            outputs = set(re.findall(r"steps\.(\w+)\.outputs", str(job)))
            assert outputs <= {step.get("id") for step in job["steps"]}


def test_the_container_of_the_compose_file_may_do_no_more_than_it_must():
    (service,) = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["healthcheck"]["test"][1:] == ["python", "-m", "agent.health"]
    assert (ROOT / "docker" / service["build"] / "Dockerfile").exists()
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    written = {volume.split(":")[1] for volume in service["volumes"]}
    assert written == {"/home/agent/.local/state", "/home/agent/.local/share", "/opt/kernels"}
    variables = {name: str(value) for name, value in service["environment"].items()}
    empty = {name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value) for name, value in variables.items()}
    assert load_settings(environment=empty).server.name == "my-agent"


@pytest.mark.parametrize(
    ("machine", "flags", "wanted", "chosen"),
    [
        ("x86_64", f"flags\t\t: {V3} avx512f", None, "x86-64-v3"),
        ("x86_64", f"flags\t\t: {V3}", None, "x86-64-v3"),
        ("x86_64", f"flags\t\t: {V3.replace('avx2 ', '')}", None, None),  # the older are not cut short by `avx`
        ("x86_64", f"flags\t\t: {V3.replace('fma', 'fma4')}", None, None),
        ("x86_64", "", None, None),
        ("x86_64", f"flags\t\t: {V3}", "host", None),
        ("x86_64", "flags\t\t: fpu", "x86-64", "x86-64"),
        ("aarch64", "Features\t: fp asimd", None, "generic"),
        ("aarch64", "", "host", None),
        ("riscv64", "", None, None),
    ],
)
def test_kernels_are_the_images_where_the_processor_can_run_them(machine, flags, wanted, chosen, tmp_path):
    """None is what the machine itself can do; numba finds out, and compiles at the first start."""
    (tmp_path / "uname").write_text(f"#!/bin/sh\necho {machine}\n")
    (tmp_path / "uname").chmod(0o755)
    (tmp_path / "cpuinfo").write_text(f"processor\t: 0\nmodel name\t: avx2 of a name\n{flags}\n\nflags\t\t: {V3}\n")
    if not flags:
        (tmp_path / "cpuinfo").unlink()
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "CPUINFO": str(tmp_path / "cpuinfo")}
    environment |= {} if wanted is None else {"NUMBA_CPU_NAME": wanted}
    show = 'echo "${NUMBA_CPU_NAME-unset} ${NUMBA_CPU_FEATURES-unset}"'
    told = subprocess.run([CHOOSE, "sh", "-c", show], env=environment, capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == (f"{chosen} \n" if chosen else "unset unset\n", "")
