import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Puts the built pages of the dashboard beside a bundle, where the bundled API looks for them. */
export async function copyDashboard(out_dir: string): Promise<void> {
  const built = fileURLToPath(new URL('../dashboard/dist', import.meta.url))
  await cp(built, join(out_dir, 'dashboard'), { recursive: true })
}
