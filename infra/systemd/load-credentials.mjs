// Makes each credential of the unit the variable of its name, for the service alone: no list of processes shows it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.CREDENTIALS_DIRECTORY
const prefix = 'svc_'
for (const file of folder === undefined ? [] : readdirSync(folder)) {
  if (!file.startsWith(prefix)) continue
  process.env[file.slice(prefix.length)] = readFileSync(join(folder, file), 'utf8').replace(/\r?\n$/, '')
}
