import type { Command } from '../../frame/nav-entry.ts'

export const commands: readonly Command[] = [
  { label: 'Profile', to: '/account/profile' },
  { label: 'Access tokens', to: '/account/tokens' },
  { label: 'Connected apps', to: '/account/apps' },
  { label: 'Signed-in browsers', to: '/account/browsers' },
  { label: 'Linked senders', to: '/account/senders' },
]
