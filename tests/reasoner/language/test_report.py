from __future__ import annotations

import pytest

from reasoner.diagnostics import Span
from reasoner.errors import RulesError
from reasoner.language.expressions import Word
from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.source import Source


def test_faults_come_in_the_order_of_the_text_and_each_once():
    report = FaultReport(Source("a b\nc"))
    report.warn("w", "m", "f")
    for word in (Word("c", 4), Word("b", 2), Word("c", 4)):
        report.warn("w", "m", "f", word)
    assert [d.span for d in report.diagnostics()] == [Span(1, 3), Span(2, 1), None]


def test_only_errors_are_raised_and_they_bring_the_warnings():
    report = FaultReport(Source("a b"))
    report.warn("w", "m", "f")
    report.raise_errors()
    report.error("e", "m", "f")
    with pytest.raises(RulesError) as caught:
        report.raise_errors()
    assert [d.code for d in caught.value.diagnostics] == ["w", "e"]


def test_the_number_of_diagnostics_of_one_code_is_limited():
    report = FaultReport(Source("a" * 1_000))
    for place in range(500):
        report.warn("w", "m", "f", Word("a", place))
    report.error("e", "m", "f")
    assert len(report.diagnostics()) == MAX_OF_A_KIND + 1
    assert report.failed


def test_a_fault_of_an_infix_text_is_written_in_infix():
    source = Source("role(white)\np(Xs) :- ~q(Xs)")
    report = FaultReport(source)
    report.error("code", "?Xs of (p ?Xs) is bound by nothing", "Add (role ?Xs).", Word("?Xs", 14))
    (found,) = report.diagnostics()
    assert (found.message, found.fix) == ("Xs of p(Xs) is bound by nothing", "Add role(Xs).")
    assert found.span == Span(2, 3, 2)
