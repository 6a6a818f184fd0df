import type { ChannelLink } from '@svc/sdk'
import { usePeople } from '../../../frame/use-people.ts'
import { useProject } from '../../../frame/use-project.ts'
import { ActionTable } from '../../../parts/action-table.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { pageOf } from '../../../parts/pages.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import type { PartProps } from './threads.tsx'

/** The people who write by a channel, each with the sender that acts as them. */
export function People(props: PartProps) {
  const project = useProject(props.project_id)
  return (
    <Loaded query={project}>{({ account_id }) => <PeopleOf account_id={account_id} {...props} />}</Loaded>
  )
}

function PeopleOf({ account_id, project_id, slug }: PartProps & { readonly account_id: string }) {
  const { channels } = useClient().projects
  const nameOf = usePeople(account_id)
  return (
    <ActionTable<ChannelLink>
      caption="People"
      empty="No person is linked yet: the bot sends a link to each who writes to it"
      queryKey={['channels', project_id, slug, 'links']}
      read={async (cursor) => {
        const { links, next_cursor } = await channels.links(project_id, slug, pageOf(cursor))
        return { items: links, next_cursor }
      }}
      keyOf={({ link_id }) => link_id}
      columns={[
        {
          name: 'Sender',
          cell: ({ display, external_user }) => (
            <>
              {display} <span className="faint font-normal">{external_user}</span>
            </>
          ),
        },
        { name: 'Acts as', cell: ({ user_id }) => nameOf(user_id) },
        { name: 'Linked', cell: ({ created_at }) => <Moment at={created_at} /> },
        { name: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} /> },
      ]}
      actions={[
        {
          label: 'Remove',
          asks: ({ display, user_id }) =>
            `${display} acts as ${nameOf(user_id)} no more, in any project of the account. They can be linked anew.`,
          run: ({ link_id }) => channels.removeLink(project_id, slug, link_id),
          done: 'The link is ended.',
        },
      ]}
    />
  )
}
