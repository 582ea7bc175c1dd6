# Run by an interpreter that has the package trafilatura. The second argument "recall" prefers more text.
import json
import sys
import time

import trafilatura

prefers_recall = len(sys.argv) > 2 and sys.argv[2] == "recall"
with open(sys.argv[1], encoding="utf-8") as lines:
    pages = [json.loads(line) for line in lines]
before = time.process_time()
results = [
    trafilatura.extract(page["html"], url=page["url"], include_comments=False, favor_recall=prefers_recall) or ""
    for page in pages
]
cpu_ms = (time.process_time() - before) * 1000
for text in results:
    print(json.dumps({"text": text}))
print(json.dumps({"cpu_ms": cpu_ms}))
