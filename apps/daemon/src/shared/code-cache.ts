import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** The beginning and end of a program's text: one function, as CommonJS has it. Its names may be declared anew. */
export const programStart =
  "(function (exports, require, module, __filename, __dirname) { 'use strict';" +
  "const __url = require('node:url').pathToFileURL(__filename).href; {"
export const programEnd = '}})'

type Program = (
  exports: unknown,
  require: unknown,
  module: { exports: unknown },
  filename: string,
  dirname: string,
) => void

/** The data lies behind it, at an address that V8 can read it from as it is. */
const headLength = 128
const beside = /^\.\/[\w-]+\.js$/
const loaded = new Map<string, { exports: unknown }>()

/**
 * Runs a program, and the others beside it that it requires, each once; gives what it exports. `<file>.cache`, made when
 * the program was built, holds what V8 had compiled of it by then, which is neither parsed nor compiled again.
 *
 * V8 takes such data only when it was made by the same version of V8, with the same flags, from a text of the same length;
 * it looks neither at the rest of the text nor at the data itself, so both are compared here with sums written beside the
 * data. Whatever does not fit is left alone, and the program is compiled from its text as any other: a cache decides how
 * soon a program starts, never whether. Nothing here writes one, and it lies where the program lies, which a sandbox may
 * only read: who could exchange the cache could exchange the program.
 */
export function loadProgram(file: string): unknown {
  const known = loaded.get(file)
  if (known) return known.exports
  const text = readFileSync(file)
  const cachedData = readCodeCache(file, text)
  const script = new Script(text.toString(), { filename: file, ...(cachedData && { cachedData }) })
  const program: Program = script.runInThisContext()
  const module = { exports: {} }
  loaded.set(file, module)
  const folder = dirname(file)
  const ofNode = createRequire(file)
  const require = (name: string): unknown =>
    beside.test(name) ? loadProgram(join(folder, name)) : ofNode(name)
  program(module.exports, Object.assign(require, ofNode), module, file, folder)
  return module.exports
}

/** Null where there is none for this text and this Node. */
export function readCodeCache(file: string, text: Buffer): Buffer | null {
  try {
    const kept = readFileSync(`${file}.cache`)
    const data = kept.subarray(headLength)
    return kept.subarray(0, headLength).equals(head(text, data)) ? data : null
  } catch {
    return null
  }
}

/** The content of the file that is found beside the program. */
export function sealCodeCache(text: Buffer, data: Buffer): Buffer {
  return Buffer.concat([head(text, data), data])
}

function head(text: Buffer, data: Buffer): Buffer {
  const words = [process.version, process.arch, text.length, crc32(text), data.length, crc32(data)]
  return Buffer.from(words.join(' ').padEnd(headLength))
}
