#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) {
  await import(main.href)
} else {
  console.error('error: the svc command is not built yet\nnext: run `npm start` once, which builds it')
  process.exitCode = 1
}
