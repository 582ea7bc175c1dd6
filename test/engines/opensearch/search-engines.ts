// The search engines that tests run on. Maven has their distributions with the modules that their own tests need.

export const SEARCH_ENGINES = {
  'opensearch-2': {
    program: 'opensearch',
    version: '2.19.6',
    // Later ones have no security manager.
    java: { min: 11, max: 21 },
    variable: 'TEST_OPENSEARCH_2',
  },
  'opensearch-3': {
    program: 'opensearch',
    version: '3.6.0',
    java: { min: 21, max: 99 },
    variable: 'TEST_OPENSEARCH_3',
  },
  elasticsearch: {
    program: 'elasticsearch',
    version: '8.19.21',
    java: { min: 17, max: 99 },
    variable: 'TEST_ELASTICSEARCH',
  },
} as const

export type SearchEngineName = keyof typeof SEARCH_ENGINES

const PREFERRED = ['opensearch-3', 'opensearch-2', 'elasticsearch'] as const satisfies SearchEngineName[]

/** One of the available engines, for tests that take long and differ less between engines. */
export function anySearchEngine(): SearchEngineName {
  return PREFERRED.find((name) => process.env[SEARCH_ENGINES[name].variable] !== undefined) ?? PREFERRED[0]
}
