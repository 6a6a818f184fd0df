/** Loaded before a program whose code cache is made: on a signal it writes down what V8 has compiled by then. */
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'

const folder = process.env.CODE_CACHE_FOLDER
const kept = []
// V8 would forget code that is not in use. No flag may be left: V8 takes data only under the flags it was made with.
setFlagsFromString('--no-flush-bytecode')
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options)
    kept.push({ script: this, name: basename(options.filename) })
  }
}
syncBuiltinESMExports()

process.on('SIGUSR2', () => {
  setFlagsFromString('--flush-bytecode')
  for (const { script, name } of kept) writeFileSync(join(folder, name), script.createCachedData())
  process.exit(0)
})
