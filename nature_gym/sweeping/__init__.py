"""Many trials: what is to be run, in which order, on which slots, and what each leaves behind.

spec         what makes a trial the one it is, and its id
identity     what an agent is given, in one word
folders      trials/<id>/: the record of a trial, and those of runs that failed before
slots        places for CPUs and GPUs, shared by all processes of a machine
scheduler    which trial is next, and what each waits for
room         the folder on the host that an agent writes to, under a name that tells nothing
evidence     what an agent printed, and what it did
answers      submitted answers, kept by digest
trial_run    one trial, from its folder to its status
plan         the trials of a sweep: what is done, what is to do, what it will take
request      what a sweep is asked for, and what that means here
sweep        a sweep under way
watching     what is going on now, for whoever looks
scores       scores as they count now: after an anchor or an evaluator was corrected
results      stored trials as a leaderboard
export       stored trials as a result package
admission    which packages may be swept
calibration  the looks at a package before that, and their report
papers       the paper of a package, for a Reproduce pass
"""
