import subprocess
import sys


def test_the_commands_cost_nothing_until_they_are_used() -> None:
    heavy = ("sqlalchemy", "sqlmodel", "alembic", "pydantic", "rich.progress", "db")
    program = f"import sys, nature_gym.cli.database; sys.exit(', '.join(set({heavy}) & set(sys.modules)) or 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_alembic_is_loaded_only_to_change_tables() -> None:
    program = "import sys, db.engine, db.index, db.funnel; sys.exit('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
