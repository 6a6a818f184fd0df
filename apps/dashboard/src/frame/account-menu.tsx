import { Menu } from '@base-ui/react/menu'
import { Link } from '@tanstack/react-router'
import { Building2, Check, CircleUserRound, Keyboard, LogOut, UserRound } from 'lucide-react'
import { chooseTheme, themes, useTheme } from '../design/theme.ts'
import type { FrameActions } from './navigation.tsx'
import { useMe } from './use-me.ts'

const themeWords = { system: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' } as const

/** The person who is signed in, their own pages, the theme, and the way out. */
export function AccountMenu({ onSignOut, onShortcuts }: FrameActions) {
  const { data: me } = useMe()
  const theme = useTheme()
  return (
    <Menu.Root>
      <Menu.Trigger className="nav-link w-full">
        <CircleUserRound aria-hidden className="glyph" />
        <span className="words">Account</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="top" align="start" sideOffset={4} className="z-30">
          <Menu.Popup className="menu" aria-label="Account">
            <p className="px-2 py-1 text-12 text-n11" role="presentation">
              {me?.email ?? 'Signed in with a token'}
            </p>
            <Menu.Item
              className="menu-item"
              render={<Link to="/account/$part" params={{ part: 'profile' }} />}
            >
              <UserRound aria-hidden className="glyph" />
              Profile
            </Menu.Item>
            {me?.accounts.map(({ account_id, name }) => (
              <Menu.Item
                key={account_id}
                className="menu-item"
                render={<Link to="/accounts/$account_id/members" params={{ account_id }} />}
              >
                <Building2 aria-hidden className="glyph" />
                {name}
              </Menu.Item>
            ))}
            <Menu.RadioGroup value={theme} onValueChange={chooseTheme}>
              {themes.map((one) => (
                <Menu.RadioItem key={one} value={one} className="menu-item">
                  <span className="glyph">
                    <Menu.RadioItemIndicator>
                      <Check aria-hidden className="glyph" />
                    </Menu.RadioItemIndicator>
                  </span>
                  {themeWords[one]}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Item className="menu-item" onClick={onShortcuts}>
              <Keyboard aria-hidden className="glyph" />
              Keyboard shortcuts
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={onSignOut}>
              <LogOut aria-hidden className="glyph" />
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
