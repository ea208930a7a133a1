"""What Python's json_repair makes of texts: a JSON string a line in, {"value"} or {"error"} a line out."""
import json
import sys

import json_repair


def answer(text):
    try:
        return json.dumps({"value": json_repair.loads(text)})
    except Exception as error:  # whatever it throws is a refusal
        return json.dumps({"error": str(error)[:200]})


for line in sys.stdin:
    print(answer(json.loads(line)), flush=True)
