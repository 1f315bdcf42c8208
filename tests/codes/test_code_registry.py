"""Every family of codes as its declaration promises, and one kind of name for both kinds."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from gcdesign.codes import GradientCode, load_code
from gcdesign.codes.claims import write_weights_file
from gcdesign.codes.registry import (
    CodeFamily,
    all_names,
    build_code,
    code_families,
    code_family_names,
    code_size,
    declared,
    parse_code,
)
from gcdesign.designs import build, family_names
from gcdesign.designs.formats.matrixmarket import write_weights
from gcdesign.errors import InputError

FAMILIES = list(code_families())
each_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


def spec_of(family: CodeFamily) -> str:
    return f"{family.name}:" + ",".join(f"{k}={v}" for k, v in family.example.items())


def test_names_are_of_one_kind_each() -> None:
    assert set(code_family_names()) >= {"cyclic", "cyclic-mds", "rs"}
    assert not set(code_family_names()) & set(family_names())
    assert all_names() == sorted({*code_family_names(), *family_names()})
    modules = {
        entry.name.removesuffix(".py").replace("_", "-")
        for entry in files("gcdesign.codes.families").iterdir()
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }
    assert modules == set(code_family_names())
    assert [declared(name).name for name in all_names()] == all_names()


@each_family
def test_declaration_is_complete(family: CodeFamily) -> None:
    for text in (family.summary, family.source, *(p.help for p in family.parameters)):
        assert text.strip() == text != ""
        assert "\n" not in text
    names = [parameter.name for parameter in family.parameters]
    assert len(set(names)) == len(names) > 0
    assert {p.name for p in family.parameters if not p.optional} <= set(family.example)


@each_family
def test_the_spec_of_the_example_builds_it_again(family: CodeFamily) -> None:
    code = load_code(spec_of(family))
    assert code.provenance is not None
    assert code.family == code.provenance.family == family.name
    assert list(code.provenance.values) == [p.name for p in family.parameters]
    assert family.example.items() <= code.provenance.values.items()
    again = build_code(parse_code(code.provenance.spec))
    assert again.provenance == code.provenance
    assert (again.dense_encoding() == code.dense_encoding()).all()
    assert again.tolerates == code.tolerates
    assert 0 < len(code.label) <= 45
    assert code.label == again.label
    placement = code.placement.design.provenance
    assert placement is None or build(placement) == code.placement.design


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nope:q=3", r"^no family is called 'nope'; expected one of: adjacency, ag, base-blocks, "),
        ("cyclic", r"^cyclic needs workers: for example cyclic:workers=9,stragglers=2$"),
        ("cyclic:workers=9,colour=2", r"^cyclic has no parameter 'colour'"),
        ("cyclic:workers=9.5", r"^workers=9.5 in 'cyclic:workers=9.5'; expected a whole number$"),
        ("circulant:workers=7,offsets=0+x", r"^offsets=0\+x in .* whole numbers such as 0\+1\+3$"),
        ("cyclic:workers=9,workers=9", r"is given twice"),
        ("cyclic:9", r"expected name=value"),
    ],
)
def test_malformed_names(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_code(spec)
    assert "\n" not in str(caught.value)


@each_family
def test_size_is_known_before_building(family: CodeFamily) -> None:
    design = load_code(spec_of(family)).placement.design
    assert code_size(parse_code(spec_of(family))) == (design.v, design.b, design.incidences)
    assert code_size(parse_code("pg:q=5")) == (31, 31, 186)


CYCLIC = "cyclic:workers=5,stragglers=2,seed=0"


def file_of(folder: Path, claim: str) -> Path:
    code = load_code(CYCLIC)
    assert code.weights is not None
    path = folder / "code.mtx"
    path.write_bytes(write_weights(code.placement.design, code.weights, comment=claim))
    return path


@each_family
def test_files_hold_the_same_floats(tmp_path: Path, family: CodeFamily) -> None:
    code = load_code(spec_of(family))
    path = tmp_path / "code.mtx"
    path.write_bytes(write_weights_file(code))
    again = load_code(str(path))
    assert (again.dense_encoding() == code.dense_encoding()).all()
    assert (again.is_complex, again.label) == (code.is_complex, code.label)
    path.write_bytes(write_weights_file(GradientCode(code.placement, code.weights)))
    assert (load_code(str(path)).dense_encoding() == code.dense_encoding()).all()


def test_a_file_keeps_its_family(tmp_path: Path) -> None:
    code, again = load_code(CYCLIC), load_code(str(file_of(tmp_path, f"gcdesign code {CYCLIC}")))
    assert again.provenance == code.provenance
    assert again.tolerates == 2
    assert again.placement.design.provenance == code.placement.design.provenance
    assert (again.dense_encoding() == code.dense_encoding()).all()
    plain = load_code(str(file_of(tmp_path, "some matrix")))
    assert (plain.provenance, plain.tolerates) == (None, None)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("cyclic:workers=5,stragglers=2,seed=1", "but has other weights; remove that comment"),
        ("cyclic-mds:workers=5,stragglers=2", "but has other weights"),
        ("cyclic:workers=6,stragglers=2", "that is of another size; remove"),
        ("cyclic:workers=90000,stragglers=89999", "that is of another size; remove"),
        ("cyclic:workers=5", "cyclic needs stragglers"),
        ("nothing:q=3", "no family is called 'nothing'"),
        ("circulant:workers=5,load=3", "but has other weights"),
        ("cyclic", "cyclic needs workers"),
    ],
)
def test_a_false_claim(tmp_path: Path, claim: str, reason: str) -> None:
    with pytest.raises(InputError, match=r"code\.mtx: claims to be") as caught:
        load_code(str(file_of(tmp_path, f"gcdesign code {claim}")))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parameters_of_the_wrong_kind() -> None:
    with pytest.raises(InputError, match=r"^offsets=3; expected whole numbers such as 0\+1\+3$"):
        declared("circulant").check({"workers": 7, "offsets": 3})
    with pytest.raises(InputError, match=r"^workers=\(7,\); expected a whole number$"):
        declared("circulant").check({"workers": (7,)})


def test_files_that_look_like_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cyclic").write_text("1,1\n")
    with pytest.raises(InputError, match="suffix"):
        load_code("cyclic")
    assert load_code("cyclic:workers=3,stragglers=1").parts == 3


def test_what_workers_send() -> None:
    code = GradientCode.from_matrix(np.array([[0.5, 1, 0], [0, 1, -1]]))
    gradients = np.arange(6.0).reshape(3, 2)
    assert code.encode(gradients).tolist() == [[2.0, 3.5], [-2.0, -2.0]]
    assert code.encode(gradients[:, 0]).tolist() == [2.0, -2.0]
    assert code.encode(gradients.reshape(3, 1, 2)).shape == (2, 1, 2)
    with pytest.raises(InputError, match="expected one for each of 3 parts"):
        code.encode(gradients[:2])


def test_the_code_of_complex_numbers_without_imaginary_part_is_real() -> None:
    placement = load_code("uncoded:workers=2").placement
    assert not GradientCode(placement, np.array([1 + 0j, 2])).is_complex
    assert GradientCode(placement, np.array([1 + 0j, 2j])).is_complex
    assert GradientCode(placement, np.array([1 + 0j, 1])).weights is None
