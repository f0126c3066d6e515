"""Runs of the checks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "check_run",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("package", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True)),
        sa.Column("passed", sa.Integer, nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
        sa.Column("warned", sa.Integer, nullable=False),
        sa.Column("skipped", sa.Integer, nullable=False),
        sa.Column("failing", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_check_run"),
    )
    op.create_index("ix_check_run_package_at", "check_run", ["package", "at"])
    op.create_index("ix_check_run_digest", "check_run", ["digest"])
