# Old exporter for the Xcyt workstation, kept for the record. Python 2.7 only!
import sys, string

if len(sys.argv) < 3:
    print "usage: convert_xcyt.py infile outfile"
    sys.exit(1)

out = open(sys.argv[2], "w")
n = 0
for line in open(sys.argv[1]):
    fields = string.split(string.strip(line), "\t")
    if not fields or fields[0] == "":
        continue
    try:
        values = map(float, fields[2:])
    except ValueError, e:
        print >>sys.stderr, "skipped", fields[0], e
        continue
    print >>out, ",".join([fields[0], fields[1]] + [repr(v) for v in values])
    n += 1
print "%d nuclei" % n
