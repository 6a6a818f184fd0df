import { ServerCog } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'main', label: 'Platform', icon: ServerCog, order: 90, to: '/admin', admin: true },
]
