import { FolderGit2 } from 'lucide-react'
import type { NavEntry } from '../../frame/nav-entry.ts'

export const nav: readonly NavEntry[] = [
  { section: 'main', label: 'Projects', icon: FolderGit2, order: 20, to: '/projects' },
]
