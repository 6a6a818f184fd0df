import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { root, setUp } from './setup.mjs'

setUp()
await import(pathToFileURL(join(root, 'apps/standalone/dist/demo.js')).href)
