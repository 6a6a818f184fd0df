import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

const shell = process.ppid
setUp()
// A person who ended npm in the meantime wants no platform.
if (process.ppid !== shell) process.exit(1)
await import(pathToFileURL(join(root, 'apps/standalone/dist/demo.js')).href)
