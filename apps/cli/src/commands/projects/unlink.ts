import { removeLink } from '../../config/link-file.ts'
import type { Configure } from '../groups.ts'

export const unlink: Configure = (command, cli) => {
  command.action(async () => {
    const link = await cli.link()
    if (link === null) return cli.out.line('This folder is not linked')
    await removeLink(link)
    cli.out.line(`Unlinked from ${link.project_id}`)
    cli.out.note(link.file)
  })
}
