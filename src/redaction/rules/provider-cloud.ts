import type { Rule } from '../rule.ts'
import { WORD_START } from '../rule.ts'
import { entropy } from '../strength.ts'

/** Clouds, hosting, databases and what runs them. */
export const cloudRules: readonly Rule[] = [
  // docs.aws.amazon.com, "IAM unique identifiers": long-lived and temporary access keys; the other prefixes name users and roles.
  {
    name: 'aws-access-key-id',
    hints: ['akia', 'asia', 'abia', 'acca'],
    pattern: new RegExp(`${WORD_START}A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])`),
  },
  // Its secret has 40 characters and no prefix: known by a name before it.
  {
    name: 'aws-secret-key',
    hints: ['secret', 'aws'],
    pattern:
      /(?:secret|aws)[A-Za-z_ -]{0,30}\\?["'`]?(?:\s{0,4}(?:[:=]|=>|is|,)\s{0,4}|\s{1,4})\\?["'`]?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/i,
    check: (secret) => /[A-Z]/.test(secret) && /[a-z]/.test(secret) && /\d/.test(secret) && entropy(secret) > 3.8,
  },
  { name: 'aws-session-token', hints: ['fwog', 'iqoj'], pattern: new RegExp(`${WORD_START}(?:FwoG|IQoJ)[A-Za-z0-9/+=]{60,}`) },
  {
    name: 'aws-bedrock-key',
    hints: ['absk', 'bedrock-api-key-'],
    pattern: new RegExp(`${WORD_START}(?:ABSK[A-Za-z0-9+/]{80,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{20,})`),
  },
  { name: 'aws-mws-key', hints: ['amzn.mws.'], pattern: /amzn\.mws\.[a-f0-9-]{30,}/ },
  // developers.google.com/identity: access and refresh tokens, client secrets.
  { name: 'google-oauth-token', hints: ['ya29.'], pattern: /ya29\.[A-Za-z0-9_.-]{20,}/ },
  { name: 'google-oauth-token', hints: ['1//0'], pattern: new RegExp(`${WORD_START}1//0[A-Za-z0-9_-]{30,}`) },
  { name: 'google-client-secret', hints: ['gocspx-'], pattern: /GOCSPX-[A-Za-z0-9_-]{20,}/ },
  // learn.microsoft.com: client secrets of applications hold `Q~` behind four characters; storage keys are 64 bytes in base64.
  {
    name: 'azure-client-secret',
    hints: Array.from('0123456789', (digit) => `${digit}q~`),
    pattern: /(?<=(?<head>[A-Za-z0-9_~.-]{3}))\dQ~[A-Za-z0-9_~.-]{28,}/,
  },
  {
    name: 'azure-storage-key',
    hints: ['accountkey', 'sharedaccesskey'],
    pattern: /(?:AccountKey|SharedAccessKey)\s{0,3}=\s{0,3}(?<secret>[A-Za-z0-9+/]{30,}={0,2})/i,
  },
  {
    name: 'azure-shared-signature',
    hints: ['sig=', 'sharedaccesssignature'],
    pattern: /sig=(?<secret>[A-Za-z0-9%+/]{30,}(?:=|%3D){0,2})/i,
  },
  { name: 'digitalocean-token', hints: ['dop_v1_', 'doo_v1_', 'dor_v1_'], pattern: /do[opr]_v1_[a-f0-9]{32,}/ },
  // developers.cloudflare.com, "Token formats"; keys of an origin CA.
  { name: 'cloudflare-token', hints: ['cfk_', 'cfut_', 'cfat_'], pattern: new RegExp(`${WORD_START}cf(?:k|ut|at)_[A-Za-z0-9_-]{32,}`) },
  { name: 'cloudflare-token', hints: ['v1.0-'], pattern: /v1\.0-[a-f0-9]{24}-[a-f0-9]{60,}/ },
  { name: 'alibaba-access-key-id', hints: ['ltai'], pattern: new RegExp(`${WORD_START}LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])`) },
  { name: 'tencent-secret-id', hints: ['akid'], pattern: new RegExp(`${WORD_START}AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])`) },
  {
    name: 'yandex-token',
    hints: ['t1.', 'y0_', 'aqvn'],
    pattern: new RegExp(`${WORD_START}(?:t1\\.[A-Z0-9a-z_-]{20,}={0,2}\\.[A-Za-z0-9_-]{80,}|y0_[A-Za-z0-9_-]{50,}|AQVN[A-Za-z0-9_-]{30,})`),
  },
  // heroku.com, fly.io, vercel.com, netlify.com, render.com, railway, supabase.com, neon.tech, planetscale.com.
  { name: 'heroku-key', hints: ['hrku-'], pattern: /HRKU-[A-Za-z0-9_-]{30,}/ },
  {
    name: 'fly-token',
    hints: ['fo1_', 'fm1a_', 'fm1r_', 'fm2_', 'flyv1 f'],
    pattern: new RegExp(`${WORD_START}(?:FlyV1 )?(?:fo1_[A-Za-z0-9_-]{30,}|fm1[ar]_[A-Za-z0-9+/=]{40,}|fm2_[A-Za-z0-9+/=]{40,})`),
  },
  {
    name: 'vercel-token',
    hints: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_', 'vercel_blob_rw_'],
    pattern: new RegExp(`${WORD_START}(?:vc[piark]_[A-Za-z0-9]{20,}|vercel_blob_rw_[A-Za-z0-9_]{20,})`),
  },
  { name: 'netlify-token', hints: ['nfp_', 'nfc_', 'nfo_', 'nfu_'], pattern: new RegExp(`${WORD_START}nf[pcou]_[A-Za-z0-9]{30,}`) },
  { name: 'render-key', hints: ['rnd_'], pattern: new RegExp(`${WORD_START}rnd_[A-Za-z0-9]{24,}`) },
  { name: 'supabase-key', hints: ['sbp_', 'sb_secret_'], pattern: /(?:sbp_(?:v0_)?[a-f0-9]{32,}|sb_secret_[A-Za-z0-9_-]{20,})/ },
  { name: 'neon-key', hints: ['napi_', 'npg_'], pattern: new RegExp(`${WORD_START}(?:napi_[a-z0-9]{40,}|npg_[A-Za-z0-9]{10,})`) },
  { name: 'planetscale-token', hints: ['pscale_'], pattern: /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{30,}/ },
  { name: 'databricks-token', hints: ['dapi', 'dose'], pattern: new RegExp(`${WORD_START}(?:dapi|dose)[a-f0-9]{32}(?:-\\d)?`) },
  // developer.hashicorp.com: Terraform Cloud; Vault service, batch and recovery tokens.
  { name: 'terraform-token', hints: ['.atlasv1.'], pattern: /(?<=(?<head>[A-Za-z0-9]{10,20}))\.atlasv1\.[A-Za-z0-9_=-]{40,}/ },
  { name: 'vault-token', hints: ['hvs.', 'hvb.', 'hvr.'], pattern: new RegExp(`${WORD_START}hv[sbr]\\.[A-Za-z0-9_-]{20,}`) },
  { name: 'pulumi-token', hints: ['pul-'], pattern: new RegExp(`${WORD_START}pul-[a-f0-9]{36,}`) },
  {
    name: 'doppler-token',
    hints: ['dp.'],
    pattern: new RegExp(`${WORD_START}dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[A-Za-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{36,}`),
  },
  {
    name: 'onepassword-token',
    hints: ['ops_eyj', 'a3-'],
    pattern: new RegExp(
      `${WORD_START}(?:ops_eyJ[A-Za-z0-9+/=_-]{60,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5})`,
    ),
  },
  { name: 'tailscale-key', hints: ['tskey-'], pattern: /tskey-(?:[a-z]+-)?[A-Za-z0-9_-]{12,}/ },
  { name: 'clickhouse-key', hints: ['4b1d'], pattern: new RegExp(`${WORD_START}4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])`) },
  { name: 'infracost-key', hints: ['ico-'], pattern: new RegExp(`${WORD_START}ico-[A-Za-z0-9]{32}`) },
  { name: 'scalingo-token', hints: ['tk-us-'], pattern: /tk-us-[A-Za-z0-9_-]{40,}/ },
  { name: 'openshift-token', hints: ['sha256~'], pattern: /sha256~[A-Za-z0-9_-]{40,}/ },
  // Clusters: joining a Docker swarm or a k3s cluster, Rancher's API keys.
  { name: 'cluster-token', hints: ['swmtkn-'], pattern: /SWMTKN-\d-[a-z0-9]{40,}-[a-z0-9]{20,}/ },
  { name: 'cluster-token', hints: ['::server:', '::node:'], pattern: /(?<=(?<head>K10[a-f0-9]{64}))::(?:server|node):[A-Za-z0-9]{16,}/ },
  {
    name: 'rancher-token',
    hints: ['token-', 'kubeconfig-u'],
    pattern: new RegExp(`${WORD_START}(?:token|kubeconfig)-[a-z0-9-]{3,20}:[a-z0-9]{50,}`),
  },
  { name: 'infisical-token', hints: ['st.'], pattern: new RegExp(`${WORD_START}st\\.[a-f0-9]{24}\\.[a-f0-9]{32}\\.[a-f0-9]{32}`) },
  // A secret right behind the id that it belongs to, as key files have it.
  {
    name: 'aws-secret-key',
    hints: ['akia', 'asia'],
    pattern: /A[KS]IA[A-Z0-9]{16}["']?[\s,:;/|]{1,6}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])/,
  },
  { name: 'aws-appsync-key', hints: ['da2-'], pattern: new RegExp(`${WORD_START}da2-[a-z0-9]{26}(?![a-z0-9])`) },
  // Google: keys for its storage's S3 interface, codes of a login, and a service account in base64 (`{"type": "service_account"`).
  { name: 'google-hmac-key', hints: ['goog1'], pattern: new RegExp(`${WORD_START}GOOG1[A-Z0-9]{18,}`) },
  { name: 'google-oauth-token', hints: ['4/0a'], pattern: new RegExp(`${WORD_START}4/0A[A-Za-z0-9_-]{30,}`) },
  {
    name: 'google-service-account',
    hints: ['ewogicj0exbl', 'eyj0exblijoi', 'eyj0exblijog'],
    pattern:
      /(?:ewogICJ0eXBlIjogInNlcnZpY2VfYWNj|eyJ0eXBlIjoi?I?[A-Za-z0-9]{0,4}nNlcnZpY2VfYWNj|eyJ0eXBlIjoic2VydmljZV9hY2Nv)[A-Za-z0-9+/]{40,}={0,2}/,
  },
  // A list of Azure's keys: `"keyName": "key1", …, "value": "…"`.
  {
    name: 'azure-storage-key',
    hints: ['keyname'],
    pattern: /keyName\\?"[^{}]{1,120}value\\?":\s{0,4}\\?"(?<secret>[A-Za-z0-9+/]{30,}={0,2})/i,
  },
  // DNSimple, Deno, Aiven, Elastic, MongoDB Atlas, Akamai, Honeybadger, Axiom, Scaleway.
  { name: 'dnsimple-token', hints: ['dnsimple_'], pattern: /dnsimple_[aou]_[A-Za-z0-9]{20,}/ },
  { name: 'deno-token', hints: ['ddp_', 'ddo_', 'ddw_'], pattern: new RegExp(`${WORD_START}dd[pow]_[A-Za-z0-9]{30,}`) },
  { name: 'aiven-password', hints: ['avns_'], pattern: /AVNS_[A-Za-z0-9_-]{12,}/ },
  { name: 'elastic-key', hints: ['essu_'], pattern: /essu_[A-Za-z0-9+/=_-]{40,}/ },
  { name: 'atlas-secret', hints: ['mdb_sa_sk_'], pattern: /mdb_sa_sk_[A-Za-z0-9_-]{30,}/ },
  { name: 'akamai-token', hints: ['akab-'], pattern: new RegExp(`${WORD_START}akab-[a-z0-9]{14,18}-[a-z0-9]{14,18}`) },
  { name: 'honeybadger-key', hints: ['hbp_'], pattern: new RegExp(`${WORD_START}hbp_[A-Za-z0-9]{30,}`) },
  { name: 'axiom-token', hints: ['xaat-', 'xapt-'], pattern: /xa(?:at|pt)-[a-f0-9-]{30,}/ },
  { name: 'scaleway-key', hints: ['scw'], pattern: new RegExp(`${WORD_START}SCW[A-Z0-9]{17}(?![A-Z0-9])`) },
]
