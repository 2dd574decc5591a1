/**
 * Imports each icon from its own file. Through the one file that exports all of them, every page would seem
 * to need every icon, and shared-chunks.ts could not tell which scripts pages share.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const barrel = new URL('../../node_modules/lucide-react/dist/esm/lucide-react.mjs', import.meta.url)
const importStatement = /^import \{([^}]*)\} from 'lucide-react'$/gm

export function iconsByPath(): Plugin {
  const paths = iconPaths()
  return {
    name: 'icons-by-path',
    enforce: 'pre',
    transform: {
      filter: { code: "from 'lucide-react'" },
      handler: (code) => ({ code: code.replace(importStatement, byPath), map: null }),
    },
  }

  function byPath(_: string, specifiers: string): string {
    const icons = specifiers
      .split(',')
      .map((specifier) => specifier.trim())
      .filter((specifier) => specifier !== '' && !specifier.startsWith('type '))
    return icons
      .map((specifier) => {
        const [icon = '', called = icon] = specifier.split(' as ')
        return `import ${called} from '${pathOf(icon)}'`
      })
      .join(';')
  }

  function pathOf(icon: string): string {
    const path = paths.get(icon)
    if (path === undefined) throw new Error(`there is no icon ${icon}`)
    return path
  }
}

/** Maps the exported names of the package to files. */
function iconPaths(): Map<string, string> {
  const all = readFileSync(barrel, 'utf8')
  const exported = [...all.matchAll(/^export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.m?js'/gm)]
  return new Map(
    exported.flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/default as (\w+)/g)].map(
        ([, name = '']) => [name, `lucide-react/icons/${file}`] as const,
      ),
    ),
  )
}
