// Keeps the OpenAPI document of a release, which later documents are compared with:
//   curl -s http://127.0.0.1:7700/v1/openapi.json | node scripts/keep-openapi.mjs docs/openapi/v1.2.3.json
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.argv[2]
if (file === undefined) {
  process.stderr.write('Name the file to write: docs/openapi/v<version>.json\n')
  process.exit(2)
}

/** Only what callers are bound to: examples and refusals come and go, and an address is nobody's promise. */
const document = JSON.parse(readFileSync(0, 'utf8'), (key, value) =>
  key === 'example' || key === 'servers' || /^[45]\d\d$/.test(key) ? undefined : value,
)
writeFileSync(file, `${JSON.stringify(document, null, 1)}\n`)
