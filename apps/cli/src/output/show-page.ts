import type { Cli } from '../cli.ts'
import { mayOpenBrowser, openBrowser } from './open-browser.ts'

/** Prints the address of a page and opens it where a person sits at a browser. */
export async function showPage({ io, out }: Cli, url: string): Promise<void> {
  out.line(url)
  if (!mayOpenBrowser(io) || !(await openBrowser(url, io.env)))
    out.note('No browser here: open the address above.')
}
