"""Every family as its declaration promises; names in place and their errors."""

from __future__ import annotations

from importlib.resources import files
from types import ModuleType

import pytest

import gcdesign.designs
from gcdesign.designs import (
    BlockDesign,
    Family,
    Provenance,
    affine_geometry,
    build,
    complement,
    derived,
    dual,
    family,
    family_names,
    label,
    parse_spec,
    projective_geometry,
    residual,
    verify,
)
from gcdesign.designs.registry import families, point_transitive
from gcdesign.errors import InputError, LimitError

FAMILIES = list(families())
each_family = pytest.mark.parametrize("declared", FAMILIES, ids=lambda declared: declared.name)


def test_the_families_of_this_version_are_there() -> None:
    assert set(family_names()) >= {
        "adjacency",
        "ag",
        "bgc",
        "circulant",
        "dual-ag",
        "frc",
        "graph-code",
        "ldgm",
        "lps",
        "mols",
        "net",
        "pairwise-balanced",
        "paley",
        "pg",
        "polarity",
        "product",
        "ramanujan-bigraph",
        "rbgc",
        "regular",
        "sbm",
        "sgc",
        "soft",
        "uncoded",
    }
    assert family_names() == sorted(family_names())
    assert [declared.name for declared in FAMILIES] == family_names()


def test_public_names_stay_what_they_are_once_a_family_is_imported() -> None:
    family("pg")
    for name in gcdesign.designs.__all__:
        assert not isinstance(getattr(gcdesign.designs, name), ModuleType), name


def test_every_module_of_the_package_is_a_family() -> None:
    modules = {
        entry.name.removesuffix(".py").replace("_", "-")
        for entry in files("gcdesign.designs.families").iterdir()
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }
    assert modules <= set(family_names())


@each_family
def test_declaration_is_complete(declared: Family) -> None:
    for text in (
        declared.summary,
        declared.source,
        declared.domain,
        *(p.help for p in declared.parameters),
    ):
        assert text.strip() == text != ""
        assert "\n" not in text
    names = [parameter.name for parameter in declared.parameters]
    assert len(set(names)) == len(names) > 0
    assert all(name.isidentifier() for name in names)
    assert {p.name for p in declared.parameters if not p.optional} <= set(declared.example)
    assert family(declared.name) is declared


@each_family
def test_example_builds_and_its_spec_builds_it_again(declared: Family) -> None:
    design = declared.build(declared.example)
    assert design.provenance is not None
    assert design.provenance.family == declared.name
    assert list(design.provenance.values) == [p.name for p in declared.parameters]
    assert declared.example.items() <= design.provenance.values.items()
    assert build(parse_spec(declared.example_spec)) == design
    again = build(parse_spec(design.provenance.spec))
    assert again == design
    assert again.provenance == design.provenance
    assert parse_spec(design.provenance.spec) == design.provenance
    assert BlockDesign(design.v, design.indptr, design.indices) == design


@each_family
def test_label_is_one_short_line(declared: Family) -> None:
    design = declared.build(declared.example)
    assert 0 < len(label(design)) <= 40
    assert "\n" not in label(design)
    assert label(dual(design)) == f"dual of {label(design)}"
    assert point_transitive(design) is declared.point_transitive


@each_family
def test_operations_are_rebuilt_from_their_provenance(declared: Family) -> None:
    design = declared.build(declared.example)
    for made in (dual(design), complement(dual(design)), residual(design, 1), derived(design)):
        assert made.provenance is not None
        again = build(made.provenance)
        assert again == made
        assert again.provenance == made.provenance
        assert point_transitive(made) is False


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("pg:q=5", "PG(2,5)"),
        ("pg:q=3,dim=3", "PG(3,3)"),
        ("pg:q=3,dim=3,flats=1", "PG(3,3), 1-flats"),
        ("ag:q=3", "AG(2,3)"),
        ("dual-ag:q=4", "dual AG(2,4)"),
        ("frc:workers=9,stragglers=2", "FRC (N=9, S=2)"),
        ("uncoded:workers=31", "uncoded (31 workers)"),
    ],
)
def test_labels(spec: str, title: str) -> None:
    assert label(build(parse_spec(spec))) == title


def test_labels_of_operations_and_of_given_designs() -> None:
    given = BlockDesign.from_blocks([[0, 1], [2]])
    assert label(given) == "design with v=3, b=2"
    assert label(complement(given)) == "complement of a given design"
    assert label(residual(affine_geometry(3), 2)) == "residual of AG(2,3) at block 2"


def test_names_in_place_are_the_constructors() -> None:
    assert build(parse_spec("pg:q=3,dim=3,flats=1")) == projective_geometry(3, 3, 1)
    assert build(parse_spec("ag:q=3")) == affine_geometry(3)
    assert build(parse_spec("dual-ag:q=3,dim=3")) == dual(affine_geometry(3, 3))
    assert build(parse_spec(" pg : q = 3 , dim = 2 ")) == projective_geometry(3)


def test_baselines_block_by_block() -> None:
    frc = build(parse_spec("frc:workers=6,stragglers=2"))
    assert frc.blocks() == [[0, 1, 2]] * 3 + [[3, 4, 5]] * 3
    assert build(parse_spec("frc:workers=3,stragglers=0")).blocks() == [[0], [1], [2]]
    uncoded = build(parse_spec("uncoded:workers=4"))
    assert uncoded.blocks() == [[0], [1], [2], [3]]


def test_dual_affine_parameters() -> None:
    design = build(parse_spec("dual-ag:q=4"))
    assert design.parameters.as_tuple() == (20, 16, 4, 5, None)
    assert design.provenance == Provenance.of("dual-ag", q=4, dim=2, flats=1)
    assert verify(dual(design)).lambda_ == 1


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nope:q=3", r"^no family is called 'nope'; expected one of: adjacency, ag, "),
        ("PG:q=3", r"^no family is called 'PG'; did you mean pg\?$"),
        ("", r"^no family is called ''"),
        ("../pg:q=3", r"^no family is called '../pg'"),
        ("__init__", r"^no family is called '__init__'"),
        ("dual_ag:q=3", r"^no family is called 'dual_ag'; did you mean dual-ag\?$"),
        ("pg:5", r"^'5' in 'pg:5'; expected name=value, for example q=5$"),
        ("pg:q=5,q=5", r"^'q' is given twice in 'pg:q=5,q=5'$"),
        ("pg:q=2.5", r"^q=2.5 in 'pg:q=2.5'; expected a whole number$"),
        ("pg:q=five", r"^q=five in 'pg:q=five'; expected a whole number$"),
        ("pg:q=", r"^q= in 'pg:q='; expected a whole number$"),
        ("pg:q==5", r"expected a whole number$"),
    ],
)
def test_malformed_names(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_spec(spec)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pg", r"^pg needs q: for example pg:q=5$"),
        ("pg:dim=3", r"^pg needs q"),
        ("frc:workers=9", r"^frc needs stragglers: for example frc:workers=9,stragglers=2$"),
        ("pg:q=5,size=3", r"^pg has no parameter 'size'; expected one of: q, dim, flats$"),
        ("pg:=5", r"^pg has no parameter ''"),
        ("uncoded:workers=0", r"^workers=0; expected 1 or more$"),
        ("uncoded:workers=-1", r"^workers=-1; expected 1 or more$"),
        ("frc:workers=0,stragglers=0", r"^workers=0; expected 1 or more$"),
        ("frc:workers=9,stragglers=9", r"^stragglers=9; expected 0 to 8"),
        ("frc:workers=9,stragglers=-1", r"^stragglers=-1; expected 0 to 8"),
        ("frc:workers=10,stragglers=2", r"nearest: workers=9 or workers=12$"),
        ("pg:q=6", r"^q=6 is no prime power"),
        ("dual-ag:q=6", r"^q=6 is no prime power"),
    ],
)
def test_wrong_parameters(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        build(parse_spec(spec))
    assert "\n" not in str(caught.value)


def test_too_few_workers_for_the_stragglers_names_only_possible_choices() -> None:
    """Every suggestion must itself be accepted."""
    with pytest.raises(InputError) as caught:
        build(parse_spec("frc:workers=5,stragglers=3"))
    nearest = str(caught.value).partition("nearest: ")[2]
    for choice in nearest.split(" or "):
        assert build(parse_spec(f"frc:{choice},stragglers=3")).b > 0


@pytest.mark.parametrize(
    "spec", ["uncoded:workers=1000000000000", "frc:workers=90000,stragglers=44999"]
)
def test_too_large(spec: str) -> None:
    with pytest.raises(LimitError, match="limit"):
        build(parse_spec(spec))


def test_provenance_that_cannot_be_rebuilt() -> None:
    given = dual(BlockDesign.from_blocks([[0, 1]]))
    assert given.provenance is not None
    with pytest.raises(InputError, match="unknown origin cannot be rebuilt"):
        build(given.provenance)
    plane = Provenance.of("pg", q=2)
    with pytest.raises(InputError, match="residual does not take the parameters colour"):
        build(Provenance.of("residual", plane, colour=1))
    with pytest.raises(InputError, match="block 7 of 7"):
        build(Provenance.of("residual", plane, block=7))


@pytest.mark.parametrize("provenance", [Provenance.of("pg", q=5), Provenance.of("pg", colour=5)])
def test_label_of_a_provenance_with_wrong_parameters(provenance: Provenance) -> None:
    """Provenance may come from a file: an incomplete one has a title or a clear error."""
    design = BlockDesign.from_blocks([[0, 1]], provenance=provenance)
    try:
        title = label(design)
    except InputError as error:
        title = str(error)
    assert "\n" not in title
    assert title
