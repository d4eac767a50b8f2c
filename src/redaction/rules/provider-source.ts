import type { Rule } from '../rule.ts'
import { WORD_START } from '../rule.ts'

/** Places where source and packages are kept. Lengths are lower bounds: output is often cut. */
export const sourceRules: readonly Rule[] = [
  // docs.github.com, "GitHub's token formats": a prefix of three letters, 36 characters of which the last six are a checksum; server
  // tokens may be longer and hold dots.
  { name: 'github-token', hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /gh[pousr]_[A-Za-z0-9]{16,}(?:[._-][A-Za-z0-9._-]+)?/ },
  { name: 'github-token', hints: ['github_pat_'], pattern: /github_pat_[A-Za-z0-9_]{20,}/ },
  // docs.gitlab.com, "GitLab token overview": personal, deploy, runner, trigger, feed, agent, SCIM, CI job, OAuth and more.
  {
    name: 'gitlab-token',
    hints: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'glcbt-',
      'gloas-',
      'glffct-',
      'glwt-',
    ],
    pattern: /gl(?:pat|dt|rtr?|ptt|ft|imt|agent|soat|cbt|oas|ffct|wt)-[A-Za-z0-9_.-]{16,}/,
  },
  { name: 'gitlab-token', hints: ['gr1348941'], pattern: /GR1348941[A-Za-z0-9_-]{16,}/ },
  // support.atlassian.com: Bitbucket app passwords, Atlassian API tokens, repository access tokens.
  {
    name: 'atlassian-token',
    hints: ['atatt3', 'atctt3', 'atbb', 'atcto'],
    pattern: new RegExp(`${WORD_START}AT(?:(?:ATT3|CTT3)[A-Za-z0-9_=-]{20,}|(?:BB|CTO)[A-Za-z0-9]{24,40}(?![A-Za-z0-9+/]))`),
  },
  // docs.npmjs.com: `npm_` and 36 characters. Older tokens are UUIDs and only known by `_authToken` before them.
  { name: 'npm-token', hints: ['npm_'], pattern: /npm_[A-Za-z0-9]{30,}/ },
  { name: 'npm-token', hints: ['_authtoken', '_auth='], pattern: /_auth(?:Token)?\s{0,3}=\s{0,3}["']?(?<secret>[A-Za-z0-9+/_=.-]{8,})/i },
  // pypi.org/help: a macaroon in base64 that begins with the name of the site.
  { name: 'pypi-token', hints: ['pypi-ag'], pattern: /pypi-Ag[A-Za-z0-9_-]{20,}/ },
  // guides.rubygems.org: 48 hexadecimal digits; crates.io: `cio` and 32; NuGet: `oy2` and 43; Packagist, JSR, Clojars.
  { name: 'rubygems-token', hints: ['rubygems_'], pattern: /rubygems_[a-f0-9]{32,}/ },
  { name: 'crates-token', hints: ['cio'], pattern: new RegExp(`${WORD_START}cio[A-Za-z0-9]{32}(?![A-Za-z0-9])`) },
  { name: 'nuget-key', hints: ['oy2'], pattern: new RegExp(`${WORD_START}oy2[a-z0-9]{43}(?![A-Za-z0-9])`) },
  { name: 'packagist-token', hints: ['packagist_'], pattern: /packagist_[a-z]{2,4}_[a-f0-9]{40,}/ },
  { name: 'clojars-token', hints: ['clojars_'], pattern: /CLOJARS_[a-f0-9]{40,}/ },
  // docs.docker.com: personal and organisation access tokens.
  { name: 'docker-token', hints: ['dckr_'], pattern: /dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}/ },
  // JFrog: API keys and reference tokens (base64 of `reftkn:`), as its own scanner knows them.
  {
    name: 'artifactory-token',
    hints: ['akcp', 'cmvmdgtu'],
    pattern: new RegExp(`${WORD_START}(?:AKCp[A-Za-z0-9]{40,}|cmVmdGtu[A-Za-z0-9]{40,})`),
  },
  // sourcegraph.com/docs; buildkite.com/docs; circleci.com/docs.
  { name: 'sourcegraph-token', hints: ['sgp_'], pattern: /sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{32,}/ },
  { name: 'buildkite-token', hints: ['bkua_', 'bkaj_', 'bkct_'], pattern: /bk(?:ua|aj|ct)_[A-Za-z0-9_-]{30,}/ },
  { name: 'circleci-token', hints: ['ccipat_', 'cciprj_'], pattern: /cci(?:pat|prj)_[A-Za-z0-9]{10,}_[a-f0-9]{30,}/ },
  // docs.sonarsource.com: user, project and global tokens.
  { name: 'sonar-token', hints: ['sqp_', 'squ_', 'sqa_'], pattern: /sq[pua]_[a-f0-9]{32,}/ },
  { name: 'snyk-token', hints: ['snyk_'], pattern: /snyk_[a-z]{2,4}\.[a-f0-9]{8}\.[A-Za-z0-9_.-]{20,}/ },
]
