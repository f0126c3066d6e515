"""Stages that could not be carried out, and runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("paper_stage") as table:
        table.add_column(sa.Column("error", sa.Text))
        table.add_column(sa.Column("error_reason", sa.Text))
        table.add_column(sa.Column("error_at", sa.DateTime(timezone=True)))
        table.alter_column("publication", existing_type=sa.Text(), nullable=True)
        table.drop_constraint(op.f("ck_paper_stage_status"), type_="check")
        table.create_check_constraint(op.f("ck_paper_stage_status"), "status IN ('done', 'failed', 'error')")
        table.create_check_constraint(op.f("ck_paper_stage_error"), "(status = 'error') = (error IS NOT NULL)")
        table.create_check_constraint(op.f("ck_paper_stage_publication"), "status = 'error' OR publication IS NOT NULL")
    op.create_table(
        "run",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("mark", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("started", sa.DateTime(timezone=True)),
        sa.Column("finished", sa.DateTime(timezone=True)),
        sa.Column("counts", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("flow_run", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sa.CheckConstraint(
            "state IN ('running', 'completed', 'failed', 'cancelled', 'crashed', 'unreadable')",
            name=op.f("ck_run_state"),
        ),
    )
    op.create_index("ix_run_kind_started", "run", ["kind", "started"])
    op.create_index("ix_run_started", "run", ["started"])
