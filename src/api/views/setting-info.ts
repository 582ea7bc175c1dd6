// Describes the settings of a crawl for forms.

import type { z } from 'zod'
import { CRAWL_SCHEMA } from '../../config/crawl-schema.ts'
import {
  CRAWL_SETTINGS,
  type CrawlSettingName,
  choiceLabel,
  isChangeable,
  maskedSettings,
  needsAdmin,
  settingLabel,
  toCrawlSettings,
} from '../../config/crawl-settings.ts'
import { type Config, fileKeyOf, SCHEMA } from '../../config/schema.ts'
import type { SettingInfo } from '../contract/system.ts'

type SettingInfoJson = z.output<typeof SettingInfo>

/** Settings in the order of their groups. Defaults are those of this server, which its configuration may change. */
export function listSettingInfo(config: Config): SettingInfoJson[] {
  const defaults = maskedSettings(toCrawlSettings(config))
  return CRAWL_SETTINGS.map((name) => {
    const { kind, help } = SCHEMA[name]
    const { schema } = kind
    const choices = Array.isArray(schema['enum']) ? schema['enum'].map(String) : null
    return {
      name: fileKeyOf(name),
      label: settingLabel(name),
      group: CRAWL_SCHEMA[name].group,
      help,
      kind: kindOf(name),
      choices,
      choice_labels:
        choices === null ? null : Object.fromEntries(choices.map((choice) => [choice, choiceLabel(name, choice)])),
      placeholder: kind.placeholder,
      default: defaults[fileKeyOf(name)] ?? null,
      schema: SCHEMA[name].default === null ? { anyOf: [schema, { type: 'null' }] } : { ...schema },
      needs_admin: needsAdmin(name),
      is_changeable: isChangeable(name),
    }
  })
}

function kindOf(name: CrawlSettingName): SettingInfoJson['kind'] {
  const { isSwitch, isList, schema } = SCHEMA[name].kind
  if (isSwitch === true) return 'switch'
  if (isList === true) return 'list'
  if ('enum' in schema) return 'choice'
  return schema['type'] === 'integer' || schema['type'] === 'number' ? 'number' : 'text'
}
