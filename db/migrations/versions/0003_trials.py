"""Trials and their attempts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "trial",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("budget", sa.Float, nullable=False),
        sa.Column("pause_share", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_trial"),
        sa.UniqueConstraint("token", name="uq_trial_token"),
    )
    op.create_table(
        "attempt",
        sa.Column("trial_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("paused", sa.Float, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("gap", sa.Float),
        sa.Column("result", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.PrimaryKeyConstraint("trial_id", "number", name="pk_attempt"),
        sa.ForeignKeyConstraint(["trial_id"], ["trial.id"], name="fk_attempt_trial_id_trial", ondelete="CASCADE"),
        sa.CheckConstraint(
            "status IN ('scoring', 'scored', 'invalid', 'refused', 'fault', 'interrupted')",
            name=op.f("ck_attempt_status"),
        ),
        sa.CheckConstraint("(status = 'scoring') = (ended IS NULL)", name=op.f("ck_attempt_ended")),
    )
