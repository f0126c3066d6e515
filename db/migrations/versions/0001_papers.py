"""Papers, and what each stage published of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None


def upgrade() -> None:
    once = sa.text("NOT duplicate")
    op.create_table(
        "paper",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("mark", sa.Text, nullable=False),
        sa.Column("doi", sa.Text),
        sa.Column("openalex_id", sa.Text),
        sa.Column("duplicate", sa.Boolean, nullable=False),
        sa.Column("title", sa.Text),
        sa.Column("venue", sa.Text),
        sa.Column("issn_l", sa.Text),
        sa.Column("published", sa.Date),
        sa.Column("year", sa.Integer),
        sa.Column("article_type", sa.Text),
        sa.Column("licence", sa.Text),
        sa.Column("oa_status", sa.Text),
        sa.Column("language", sa.Text),
        sa.Column("retracted", sa.Boolean, nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_paper"),
    )
    op.create_index("ix_paper_doi", "paper", ["doi"])
    op.create_index("ix_paper_openalex_id", "paper", ["openalex_id"])
    op.create_index("ix_paper_published", "paper", ["published"])
    op.create_index("ix_paper_venue_published", "paper", ["venue", "published"])
    op.create_index("ix_paper_year", "paper", ["year"])
    for column in ("doi", "openalex_id"):
        op.create_index(f"uq_paper_{column}", "paper", [column], unique=True, sqlite_where=once, postgresql_where=once)
    op.create_table(
        "paper_stage",
        sa.Column("paper_id", sa.Text, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("publication", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("inputs", sa.Text),
        sa.Column("rules", sa.Text),
        sa.Column("started", sa.DateTime(timezone=True)),
        sa.Column("finished", sa.DateTime(timezone=True)),
        sa.Column("seconds", sa.Float),
        sa.Column("facts", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.PrimaryKeyConstraint("paper_id", "stage", name="pk_paper_stage"),
        sa.ForeignKeyConstraint(["paper_id"], ["paper.id"], name="fk_paper_stage_paper_id_paper", ondelete="CASCADE"),
        sa.CheckConstraint("status IN ('done', 'failed')", name=op.f("ck_paper_stage_status")),
    )
    op.create_index("ix_paper_stage_stage_status_verdict", "paper_stage", ["stage", "status", "verdict"])
