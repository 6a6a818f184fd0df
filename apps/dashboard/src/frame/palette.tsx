import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import { commands } from '../pages/index.ts'
import { useClient } from '../sign-in/signed-in.tsx'
import { useProjectId } from './use-project.ts'

interface Props {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Every place by its name: pages, projects, and the sessions and change requests of the project at hand. */
export function Palette({ open, onOpenChange }: Props) {
  const client = useClient()
  const navigate = useNavigate()
  const project_id = useProjectId()
  const [text, setText] = useState('')
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => client.projects.list() })
  const requests = useQuery({
    queryKey: ['palette', 'change-requests', project_id],
    enabled: project_id !== undefined,
    queryFn: async () => (await client.projects.changeRequests.list(project_id ?? '', { limit: 50 })).items,
  })
  const go = (href: string) => {
    onOpenChange(false)
    void navigate({ href: `/dashboard${href}` })
  }
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog p-0!" aria-label="Command palette">
          <Command label="Command palette" loop>
            <Command.Input
              className="input rounded-none! border-0! border-b! p-3!"
              placeholder="Go to a page, a project, a change request…"
              value={text}
              onValueChange={setText}
              autoFocus
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-1" tabIndex={-1}>
              <Command.Empty className="hint p-3">Nothing has that name.</Command.Empty>
              <Group heading="Go to">
                {commands
                  .filter(({ to }) => project_id !== undefined || !to.includes('$project_id'))
                  .map(({ label, to, keys }) => (
                    <Command.Item
                      key={label}
                      className="menu-item"
                      onSelect={() => go(to.replace('$project_id', project_id ?? ''))}
                    >
                      {label}
                      {keys !== undefined && <kbd className="key ml-auto">{keys}</kbd>}
                    </Command.Item>
                  ))}
              </Group>
              <Group heading="Projects">
                {projects.data?.map((project) => (
                  <Command.Item
                    key={project.project_id}
                    value={`${project.name} ${project.project_id}`}
                    className="menu-item"
                    onSelect={() => go(`/projects/${project.project_id}/sessions`)}
                  >
                    {project.name}
                  </Command.Item>
                ))}
              </Group>
              <Group heading="Change requests">
                {requests.data?.map(({ number, title }) => (
                  <Command.Item
                    key={number}
                    value={`#${number} ${title}`}
                    className="menu-item"
                    onSelect={() => go(`/projects/${project_id}/change-requests/${number}`)}
                  >
                    <span className="faint">#{number}</span> {title}
                  </Command.Item>
                ))}
              </Group>
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="text-12 text-n11 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1"
    >
      {children}
    </Command.Group>
  )
}
