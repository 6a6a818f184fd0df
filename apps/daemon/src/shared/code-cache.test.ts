import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadProgram, programEnd, programStart, readCodeCache, sealCodeCache } from './code-cache.ts'

const programOf = (body: string) => `${programStart}${body}${programEnd}\n`
const dataOf = (text: string) => new Script(text).createCachedData()

const text = programOf("const __filename = 'its own'; exports.answer = require('./other.js').half() * 2")
/** Of the same length, so V8 itself would take what was made from it. */
const alike = text.replace('* 2', '* 3')

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-code-cache-'))
  file = join(folder, 'program.js')
  writeFileSync(file, text)
  writeFileSync(join(folder, 'other.js'), programOf('exports.half = () => 21'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const sealed = (of = text) => sealCodeCache(Buffer.from(of), dataOf(of))
function changed(at: number, content = sealed()): Buffer {
  content[at] = (content[at] ?? 0) ^ 0xff
  return content
}

describe('loadProgram', () => {
  it('takes the data that was made from the program', () => {
    writeFileSync(`${file}.cache`, sealed())
    const data = readCodeCache(file, readFileSync(file))
    expect(data).toEqual(dataOf(text))
    expect(loadProgram(file)).toEqual({ answer: 42 })
  })

  it.each([
    ['no data', () => null],
    ['an empty file', () => Buffer.alloc(0)],
    ['half of it', () => sealed().subarray(0, 200)],
    ['a changed byte in it', () => changed(sealed().length - 40)],
    ['data of another Node', () => changed(1)],
    ['data of another text of the same length', () => sealed(alike)],
    ['data without a head', () => dataOf(text)],
  ])('runs the program with %s', (_what, make) => {
    const content = make()
    if (content !== null) writeFileSync(`${file}.cache`, content)
    expect(readCodeCache(file, readFileSync(file))).toBeNull()
    expect(loadProgram(file)).toEqual({ answer: 42 })
  })

  it('runs the program when V8 refuses data that seemed to fit', () => {
    const other = sealCodeCache(Buffer.from(text), dataOf(`${text}// longer`))
    writeFileSync(`${file}.cache`, other)
    expect(readCodeCache(file, readFileSync(file))).not.toBeNull()
    expect(loadProgram(file)).toEqual({ answer: 42 })
  })

  it('runs each program once', () => {
    writeFileSync(file, programOf("exports.itself = require('./program.js')"))
    const made = loadProgram(file)
    expect(made).toEqual({ itself: made })
    expect(loadProgram(file)).toBe(made)
  })

  it('says which file it is that does not run', () => {
    writeFileSync(file, programOf("\nthrow new Error('no')"))
    const stack = () => {
      try {
        return loadProgram(file)
      } catch (error) {
        return error instanceof Error ? error.stack : error
      }
    }
    expect(stack()).toContain(`${file}:2:`)
  })
})
