import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'

/** The code of the mail with this subject, which the platform writes to a file. */
export async function mailedCode(data_dir: string, subject: string): Promise<string> {
  const folder = join(data_dir, 'mail')
  let text: string | undefined
  const find = async () => {
    const names = await readdir(folder).catch(() => [])
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    text = texts.find((one) => one.includes(`Subject: ${subject}`))
    return text !== undefined
  }
  await expect.poll(find, { timeout: 15_000 }).toBe(true)
  return (
    /\b(\d{4}) (\d{4})\b/
      .exec(text ?? '')
      ?.slice(1)
      .join('') ?? ''
  )
}
