import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The line of a .gitattributes that has git wait in the middle of a checkout, at the file `slow`. */
export const slowFile = 'slow filter=slow\n'

/** Until the answer is called, a checkout with this home stays where it is. */
export function holdCheckout(home: string): () => void {
  const gate = join(home, 'go-on')
  const wait = `while ! test -e '${gate}'; do sleep 0.05; done; cat`
  appendFileSync(join(home, '.gitconfig'), `[filter "slow"]\n\tsmudge = "${wait}"\n\tclean = cat\n`)
  return () => writeFileSync(gate, '')
}
