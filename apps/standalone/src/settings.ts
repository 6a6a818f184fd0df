import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { judgeSettings } from './judge-settings.ts'

// Run by `svc self-host env set`: settings as JSON on stdin, the verdict as JSON on stdout.
const settings = z.record(z.string(), z.string()).parse(await json(process.stdin))
process.stdout.write(`${JSON.stringify(judgeSettings(settings))}\n`)
