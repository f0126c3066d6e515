"""Papers with a sound new method and evaluation that end at their data or process: rules 3.1 to 3.6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nature_gym.demo.fates.composing import Assignment, section
from nature_gym.demo.fates.computational import Draft, computational, with_repository
from nature_gym.demo.fates.scores import main_table
from nature_gym.demo.fates.web import (
    GB,
    address,
    agreement_page,
    bare_repository,
    landing_page,
    link,
    missing,
    redirect,
    sign_in_page,
)
from nature_gym.demo.model import DepositFile, Entry, Page


def without_deposit(draft: Draft) -> Draft:
    """Nothing lies at a data host; what there is, the fate adds itself."""
    draft.deposits = []
    draft.volume = draft.development = draft.evaluation = ""
    return draft


def with_files(draft: Draft, files: Sequence[DepositFile], **options: object) -> None:
    """Puts other files into the paper's deposit."""
    draft.deposit = replace(draft.deposit, files=tuple(files), **options)  # type: ignore[arg-type]
    draft.deposits = [draft.deposit]


def cross_validated(draft: Draft) -> Draft:
    """The scores come from sole five-fold cross-validation."""
    draft.protocol = draft.pick(
        "All results are means over five-fold cross-validation; there is no separate test set.",
        "Performance was estimated by 10-fold cross-validation on the whole of each data set.",
        "We evaluate every method by five-fold cross-validation and report the mean and standard deviation over folds.",
        unseen=(
            (
                "Each sample served as test sample once, in one of five folds, and folds were averaged; no part was "
                "held out."
            ),
            (
                "The data were divided into ten folds, each of which was left out in turn, and no further test data "
                "were used."
            ),
        ),
    )
    draft.development = draft.pick(
        "The record holds each data set in one file with all samples.",
        "Each data set is a single file in this record.",
        unseen=("Every data set comes as one file.",),
    )
    draft.evaluation = draft.pick(
        "Inputs and reference values are stored side by side for every sample.",
        "For every sample the file contains the input and the reference value.",
        unseen=("Next to the input of each sample stands its true value.",),
    )
    draft.caption = "Comparison by cross-validation"
    draft.tables[0] = main_table(
        draft.scores, draft.caption, spread=draft.assignment.words, note="Mean ± s.d. over folds."
    )
    draft.scoring = draft.scoring.replace("on the test part", "in each fold")
    if draft.deposits:
        with_files(
            draft,
            [
                DepositFile(f"{one.name.lower()}.{draft.kit.suffix}", declared_size=file.size)
                for one, file in zip(draft.sets, draft.deposit.files[::2], strict=True)
            ],
        )
    return draft


# -- 3.1 ---------------------------------------------------------------------------


def on_request(assignment: Assignment) -> Entry:
    """All data from the corresponding author."""
    draft = with_repository(without_deposit(computational(assignment, "ecg")))
    one, two = (data.name for data in draft.sets)
    draft.access = draft.pick(
        f"The recordings of {one} and {two} are available from the corresponding author on reasonable request.",
        "The data that support the findings of this study are available from the corresponding author upon "
        "reasonable request.",
        "Owing to their size, the recordings are available on request from the authors.",
        unseen=(
            "Readers who wish to have the recordings may write to the corresponding author.",
            "The corresponding author will share the recordings with those who ask for them.",
        ),
    )
    return draft.rejected("3.1", "on_request")


def agreement_required(assignment: Assignment) -> Entry:
    """A form to sign; its page answers 200."""
    draft = with_repository(without_deposit(computational(assignment, "drugs")))
    url = f"https://pairbank.example.org/access-{assignment.index}"
    draft.access = draft.pick(
        f"{draft.sets[0].name} and {draft.sets[1].name} can be obtained from {link(url)} after signing a data use "
        "agreement.",
        f"Access to both data sets requires a signed data use agreement (DUA), which is found at {link(url)}.",
        unseen=(f"A contract on the use of the data has to be signed before they are handed over; see {link(url)}.",),
    )
    draft.pages.append(agreement_page(url, draft.sets[0].name))
    return draft.rejected(
        "3.1", "agreement_required", note="the link answers 200 with a form for the agreement: requires_auth"
    )


def identity_required(assignment: Assignment) -> Entry:
    """Controlled access, in the manner of dbGaP; the link redirects to a log-in."""
    draft = with_repository(without_deposit(computational(assignment, "variants")))
    accession = f"phs{assignment.words.number(2100, 2999):06d}.v1.p1"
    url = f"https://www.ncbi.nlm.nih.gov/projects/gap/cgi-bin/study.cgi?study_id={accession}"
    login = "https://auth.nih.gov/siteminderagent/forms/login.html"
    draft.access = draft.pick(
        f"Genotypes and labels are under controlled access in dbGaP ({accession}; {link(url)}) and open to approved "
        "investigators only.",
        f"Individual-level data are available to authorised researchers through dbGaP under accession {accession} "
        f"({link(url)}).",
        unseen=(
            (
                f"Researchers whose identity and project dbGaP has approved can download the data ({accession}; "
                f"{link(url)})."
            ),
        ),
    )
    draft.pages += [redirect(url, login), sign_in_page(login, "eRA Commons")]
    return draft.rejected("3.1", "identity_required", note="the link redirects to a log-in: redirect_to_auth")


def restricted_record(assignment: Assignment) -> Entry:
    """The paper promises open data; the record is restricted."""
    draft = with_repository(computational(assignment, "materials", name=2, host="zenodo.org"))
    with_files(draft, draft.deposit.files, state="restricted")
    return draft.rejected(
        "3.1",
        "on_request",
        note="Zenodo answers that the files are restricted; access has to be requested from the authors",
    )


# -- 3.2 ---------------------------------------------------------------------------


def pretrained_model_unavailable(assignment: Assignment) -> Entry:
    """The weights that training begins with are kept back."""
    draft = with_repository(computational(assignment, "proteins"))
    draft.development = draft.pick(
        f"{draft.method} starts from a language model that we pretrained on in-house sequences; its weights cannot be "
        "released.",
        f"The pretrained encoder on which {draft.method} builds is not publicly available, for contractual reasons.",
        unseen=(
            (
                f"The encoder with which {draft.method} begins was pretrained by us on private sequences and will not "
                "be shared."
            ),
        ),
    )
    return draft.rejected("3.2", "pretrained_model_unavailable")


def private_dependency(assignment: Assignment) -> Entry:
    """The data cannot be read without a private library."""
    draft = computational(assignment, "battery")
    library = f"{draft.slug}-core"
    draft.repositories = [bare_repository(draft.owner, library, state="private")]
    draft.code = f"{draft.method} calls the library {library} ({link(draft.repositories[0].url)})."
    draft.development = draft.pick(
        f"The curves can be turned into inputs only with {library}, an internal library of our industrial partner "
        "that is not distributed.",
        f"Raw files are in a binary format that is read by {library}, proprietary software which cannot be shared.",
        unseen=(f"Reading the files takes {library}, which belongs to a company and does not leave it.",),
    )
    return draft.rejected("3.2", "private_dependency", note="the library's repository answers 404: private")


def dev_data_not_found(assignment: Assignment) -> Entry:
    """The training data's link leads nowhere; the test data are there."""
    draft = with_repository(computational(assignment, "materials"))
    url = f"https://materials.example.edu/~{draft.slug}/train.tar"
    draft.development = draft.pick(
        f"The training structures are provided at {link(url)}.",
        f"Training data: {link(url)}.",
        unseen=(f"What {draft.method} was trained on can be fetched from {link(url)}.",),
    )
    with_files(draft, [file for file in draft.deposit.files if "_test" in file.name])
    one, two = (data.name for data in draft.sets)
    draft.access = f"All data are public. The test structures of {one} and {two} are at {link(address(draft.deposit))}."
    draft.pages.append(missing(url))
    return draft.rejected("3.2", "dev_data_not_found", note="the link to the training data answers 404")


def empty_repository(assignment: Assignment) -> Entry:
    """The data are said to be in the repository, which is empty."""
    draft = without_deposit(computational(assignment, "rain", name=2))
    draft.repositories = [bare_repository(draft.owner, draft.slug, state="empty")]
    url = draft.repositories[0].url
    draft.access = draft.pick(
        f"Data and code are freely available on GitHub at {link(url)}.",
        f"All sequences and the code are publicly available at {link(url)}.",
        unseen=(f"Everything, data and code, is in a public repository: {link(url)}.",),
    )
    draft.development = draft.pick(
        "The folder train holds the training sequences of both data sets.",
        "Training sequences of both data sets are in the folder train.",
        unseen=("For both data sets, the sequences to train on are in the folder train.",),
    )
    draft.availability = [section("Data and code availability", f"{draft.access} {draft.development}")]
    return draft.rejected("3.2", "dev_data_not_found", note="the repository exists and has no commit")


def dev_data_anomaly(assignment: Assignment) -> Entry:
    """The training files are empty."""
    draft = with_repository(computational(assignment, "spectra", name=1))
    with_files(
        draft,
        [replace(file, declared_size=0) if "_train" in file.name else file for file in draft.deposit.files],
    )
    return draft.rejected("3.2", "data_anomaly", note="both training files have 0 bytes in the record")


# -- 3.3 ---------------------------------------------------------------------------


def no_reference(assignment: Assignment) -> Entry:
    """Test inputs without answers."""
    draft = with_repository(computational(assignment, "cryoem", name=1))
    draft.evaluation = draft.pick(
        "The test micrographs are deposited without their coordinates, which the organisers of the challenge keep "
        "secret.",
        "The reference coordinates of the test micrographs are withheld and not part of the record.",
        unseen=("Coordinates for the test micrographs have never been published.",),
    )
    return draft.rejected("3.3", "no_reference")


def eval_data_not_found(assignment: Assignment) -> Entry:
    """The test data are in a repository that is gone."""
    draft = with_repository(computational(assignment, "rain"))
    gone = bare_repository(draft.owner, "nowcast-testbed", state="gone")
    draft.repositories.append(gone)
    draft.evaluation = draft.pick(
        f"The test sequences and their observed rain rates are hosted at {link(gone.url)}.",
        f"For the test period, inputs and observations are provided in the repository {link(gone.url)}.",
        unseen=(f"One finds the test period, observations included, under {link(gone.url)}.",),
    )
    with_files(draft, [file for file in draft.deposit.files if "_train" in file.name])
    return draft.rejected("3.3", "eval_data_not_found", note="the repository with the test data answers 404")


def eval_data_anomaly(assignment: Assignment) -> Entry:
    """The file with the reference structures of the test set is empty."""
    draft = with_repository(computational(assignment, "rna", name=1))
    with_files(
        draft,
        [replace(file, declared_size=0) if "_test" in file.name else file for file in draft.deposit.files],
    )
    return draft.rejected("3.3", "data_anomaly", note="both test files have 0 bytes in the record")


# -- 3.4 ---------------------------------------------------------------------------


def toy_data_only(assignment: Assignment) -> Entry:
    """The public data are a few rows to try the scripts on."""
    draft = without_deposit(computational(assignment, "air"))
    words = assignment.words
    rows = [f"{station},{hour},{words.number(4, 160)}" for station in ("A", "B") for hour in range(24)]
    toy = ("station,hour,pm25\n" + "\n".join(rows) + "\n").encode()
    with_repository(draft, extra={"data/toy_train.csv": toy, "data/toy_test.csv": toy})
    draft.access = f"Example data are publicly available in the repository of the code ({link(draft.code_url)})."
    draft.development = "The file toy_train.csv is enough to run the training script."
    draft.evaluation = "The file toy_test.csv holds inputs and true concentrations."
    toy_only = draft.pick(
        f"They are a toy subset of two stations and one day for demonstration, not the {draft.sets[0].count:,} "
        f"{draft.kit.unit} of the experiments.",
        f"Only a small demo sample of 48 hours is included; the {draft.sets[0].count:,} {draft.kit.unit} used in the "
        "paper are not.",
        unseen=(
            (
                "What is included serves to try out the scripts: two stations, one day, out of "
                f"{draft.sets[0].count:,} {draft.kit.unit}."
            ),
        ),
    )
    draft.more_data.append(toy_only)
    return draft.rejected("3.4", "toy_data_only", quote=toy_only)


def version_mismatch(assignment: Assignment) -> Entry:
    """Release 3.2 was used, release 1.0 is deposited."""
    draft = with_repository(computational(assignment, "materials", name=1, host="zenodo.org"))
    one, old = draft.sets[0], draft.sets[0].count // 4
    with_files(draft, draft.deposit.files, version="1.0", title=f"{one.name} release 1.0")
    used = draft.pick(
        f"All experiments use release 3.2 of {one.name} with {one.count:,} {draft.kit.unit}",
        f"We trained and tested on {one.name}, release 3.2 ({one.count:,} {draft.kit.unit})",
        unseen=(f"The experiments were run on release 3.2 of {one.name}, {one.count:,} {draft.kit.unit} in all",),
    )
    draft.counts = f"{used}, and {draft.sets[1].count:,} {draft.kit.unit} of {draft.sets[1].name}."
    mismatch = draft.pick(
        f"The record contains release 1.0 of {one.name} ({old:,} {draft.kit.unit}); later releases are not deposited.",
        f"Deposited is release 1.0 with {old:,} {draft.kit.unit}.",
        unseen=(f"In the record there is release 1.0, which has {old:,} {draft.kit.unit}.",),
    )
    draft.more_data.append(mismatch)
    return draft.rejected("3.4", "version_mismatch", quote=mismatch, note="release 3.2 used, release 1.0 deposited")


def version_unclear(assignment: Assignment) -> Entry:
    """A data set that changes weekly, taken at some time."""
    draft = with_repository(without_deposit(computational(assignment, "proteins", name=1)))
    url = f"https://megastab.example.org/downloads-{assignment.index}"
    one, two = draft.sets
    draft.access = f"{one.name} and {two.name} are publicly available at {link(url)}."
    draft.development = "Training variants are listed there under Development."
    draft.evaluation = "Test variants and their measured free energies are listed under Evaluation."
    draft.counts = draft.pick(
        f"{one.name} is updated every week; the release from which our {one.count:,} variants were taken was not "
        "recorded.",
        f"We downloaded {one.name}, which grows continuously, without noting its version, and kept {one.count:,} "
        "variants.",
        unseen=(
            f"Which of the weekly states of {one.name} our {one.count:,} variants stem from can no longer be told.",
        ),
    )
    draft.pages.append(landing_page(url, "MegaStab downloads", "Updated weekly. Older states are not kept. 1.2 GB."))
    return draft.rejected("3.4", "version_unclear")


# -- 3.5 ---------------------------------------------------------------------------


def invalid_eval_method(assignment: Assignment) -> Entry:
    """Sole cross-validation; the project's page redirects to itself."""
    draft = with_repository(cross_validated(computational(assignment, "battery", name=1)))
    url = f"https://{draft.slug}.example.org/"
    draft.side_link(
        f"News of the project is announced at {link(url)}.",
        Page(url, behaviour="loop"),
        "the project's page redirects to itself (error); it holds no data",
    )
    return draft.rejected("3.5", "invalid_eval_method", traps="redirect_loop")


def side_experiment_remains(assignment: Assignment) -> Entry:
    """The main table is cross-validated; a small external set with a fixed split does not save the paper."""
    draft = with_repository(cross_validated(computational(assignment, "ecg", name=1)))
    draft.more_results.append(
        "As a side experiment we applied one of the five models to 212 recordings of a sports clinic, without "
        "retraining; its alarms agreed with the diagnoses in 188 of them. These recordings are too few for a "
        "comparison of methods."
    )
    url = f"https://media.example.edu/cardiology/{draft.slug}-video-1.mp4"
    draft.side_link(
        f"Supplementary Video 1 shows the alarms on one recording of the clinic as they are raised ({link(url)}).",
        Page(url, media_type="video/mp4", body=b"\x00\x00\x00\x18ftypmp42" + bytes(60_000), behaviour="reset"),
        "the connection to the video is cut (error); it holds no data",
    )
    return draft.rejected(
        "3.5",
        "invalid_eval_method",
        note="all core experiments are cross-validated; the sports clinic is a side experiment",
        traps="side_experiment_remains connection_cut",
    )


# -- 3.6 ---------------------------------------------------------------------------


def too_large(assignment: Assignment) -> Entry:
    """The host's list of files adds up to far more than 50 GB."""
    draft = with_repository(computational(assignment, "pathology", name=1, host="zenodo.org"))
    words = assignment.words
    with_files(
        draft,
        [
            DepositFile(
                file.name.replace(".zip", ".tif"), declared_size=words.number(31, 48) * GB + words.number(1, GB)
            )
            for file in draft.deposit.files
        ],
    )
    draft.development = draft.development.replace(".zip", ".tif")
    draft.evaluation = draft.evaluation.replace(".zip", ".tif")
    url = f"https://slides.example.org/viewer/{draft.slug}"
    draft.side_link(
        f"Outlines drawn by {draft.method} can be looked at beside those of the readers at {link(url)}.",
        landing_page(url, "Slide viewer", "Choose a slide.", behaviour="limited", headers={"retry-after": "36000"}),
        "the viewer answers 429 for hours; it holds no data",
    )
    total = sum(file.size for file in draft.deposit.files) / GB
    note = f"L: {total:.1f} GB by the host's list of files"
    return draft.rejected("3.6", "too_large", quote="", note=note, traps="rate_limited_link")


def size_unknown(assignment: Assignment) -> Entry:
    """A portal that shows a page and no size."""
    draft = with_repository(without_deposit(computational(assignment, "air", name=1)))
    url = f"https://airportal.example.org/open/{draft.slug}"
    one, two = draft.sets
    draft.access = draft.pick(
        f"{one.name} and {two.name} are openly accessible through the portal {link(url)}.",
        f"All measurements can be downloaded freely from {link(url)}.",
        unseen=(f"The portal {link(url)} offers both data sets to everybody.",),
    )
    draft.development = "The years used for training are offered there station by station."
    draft.evaluation = "So is the test year, with all measured concentrations."
    draft.pages.append(landing_page(url, "Open air data", "Choose a region, a station and a year."))
    return draft.rejected(
        "3.6", "size_unknown", quote="", note="no file, no size in the text; the length of an HTML page says nothing"
    )


FATES: tuple[Callable[[Assignment], Entry], ...] = (
    on_request,
    agreement_required,
    identity_required,
    restricted_record,
    pretrained_model_unavailable,
    private_dependency,
    dev_data_not_found,
    empty_repository,
    dev_data_anomaly,
    no_reference,
    eval_data_not_found,
    eval_data_anomaly,
    toy_data_only,
    version_mismatch,
    version_unclear,
    invalid_eval_method,
    side_experiment_remains,
    too_large,
    size_unknown,
)
