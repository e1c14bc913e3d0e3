// node validate.mjs FILE...: one line of JSON for each file, the Khronos validator's report
import { readFileSync } from 'node:fs'
import validator from 'gltf-validator'

for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 50 })
  console.log(JSON.stringify(report.issues))
}
