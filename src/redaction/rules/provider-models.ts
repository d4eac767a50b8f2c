import type { Rule } from '../rule.ts'
import { WORD_START } from '../rule.ts'

/** Services that run models. */
export const modelRules: readonly Rule[] = [
  // docs.anthropic.com; the console shows `sk-ant-api03-…`, OAuth tokens are `sk-ant-oat01-…`, administration `sk-ant-admin01-…`.
  { name: 'anthropic-key', hints: ['sk-ant-'], pattern: /sk-ant-[A-Za-z0-9_-]{16,}/ },
  // openrouter.ai/docs.
  { name: 'openrouter-key', hints: ['sk-or-'], pattern: /sk-or-[A-Za-z0-9_-]{16,}/ },
  // platform.openai.com: `sk-`, `sk-proj-`, `sk-svcacct-`, `sk-admin-`; DeepSeek, Moonshot, DashScope, LiteLLM and others took the prefix.
  {
    name: 'openai-key',
    hints: ['sk-'],
    pattern: new RegExp(`${WORD_START}sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{16,}`),
    check: (secret) => /\d/.test(secret) && /[A-Za-z0-9]{12}/.test(secret),
  },
  // cloud.google.com: API keys, for Gemini and for maps alike; and newer ones that belong to a service account.
  { name: 'google-api-key', hints: ['aiza'], pattern: /AIza[A-Za-z0-9_-]{30,}/ },
  { name: 'google-api-key', hints: ['aq.ab'], pattern: new RegExp(`${WORD_START}AQ\\.Ab[A-Za-z0-9_-]{30,}`) },
  // huggingface.co/docs: user and organisation tokens.
  { name: 'huggingface-token', hints: ['hf_', 'api_org_'], pattern: new RegExp(`${WORD_START}(?:hf|api_org)_[A-Za-z0-9]{24,}`) },
  // console.groq.com, x.ai, replicate.com, perplexity.ai, fireworks.ai, cerebras.ai, nvidia.com, voyageai.com, jina.ai, langchain.com …
  { name: 'groq-key', hints: ['gsk_'], pattern: /gsk_[A-Za-z0-9]{30,}/ },
  { name: 'xai-key', hints: ['xai-'], pattern: new RegExp(`${WORD_START}xai-[A-Za-z0-9]{40,}`) },
  { name: 'replicate-token', hints: ['r8_'], pattern: new RegExp(`${WORD_START}r8_[A-Za-z0-9]{30,}`) },
  { name: 'perplexity-key', hints: ['pplx-'], pattern: /pplx-[A-Za-z0-9]{30,}/ },
  { name: 'fireworks-key', hints: ['fw_'], pattern: new RegExp(`${WORD_START}fw_[A-Za-z0-9]{20,}`), check: (secret) => /\d/.test(secret) },
  { name: 'cerebras-key', hints: ['csk-'], pattern: new RegExp(`${WORD_START}csk-[a-z0-9]{30,}`) },
  { name: 'nvidia-key', hints: ['nvapi-'], pattern: /nvapi-[A-Za-z0-9_-]{30,}/ },
  {
    name: 'voyage-key',
    hints: ['pa-'],
    pattern: new RegExp(`${WORD_START}pa-[A-Za-z0-9_-]{40,}`),
    check: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret),
  },
  { name: 'jina-key', hints: ['jina_'], pattern: /jina_[A-Za-z0-9]{32,}[A-Za-z0-9_-]*/ },
  { name: 'langsmith-key', hints: ['lsv2_', 'ls__'], pattern: /(?:lsv2_(?:pt|sk)_|ls__)[a-f0-9]{32}(?:_[a-f0-9]{8,})?/ },
  { name: 'langfuse-key', hints: ['sk-lf-'], pattern: /sk-lf-[a-f0-9-]{30,}/ },
  { name: 'pinecone-key', hints: ['pcsk_'], pattern: /pcsk_[A-Za-z0-9_]{30,}/ },
  { name: 'elevenlabs-key', hints: ['sk_'], pattern: new RegExp(`${WORD_START}sk_[a-f0-9]{40,}`) },
  { name: 'tavily-key', hints: ['tvly-'], pattern: /tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{20,}/ },
  { name: 'together-key', hints: ['tgp_v1_'], pattern: /tgp_v1_[A-Za-z0-9_-]{30,}/ },
  { name: 'firecrawl-key', hints: ['fc-'], pattern: new RegExp(`${WORD_START}fc-[a-f0-9]{32}`) },
  { name: 'e2b-key', hints: ['e2b_'], pattern: /e2b_[a-f0-9]{32,}/ },
  // RunPod, Anyscale, Modal, Baidu, Brave Search, Zhipu.
  { name: 'runpod-key', hints: ['rpa_'], pattern: new RegExp(`${WORD_START}rpa_[A-Z0-9]{30,}[A-Za-z0-9]*`) },
  { name: 'anyscale-key', hints: ['esecret_'], pattern: /esecret_[A-Za-z0-9]{20,}/ },
  {
    name: 'modal-token',
    hints: ['ak-', 'as-'],
    pattern: new RegExp(`${WORD_START}a[ks]-[A-Za-z0-9]{22}(?![A-Za-z0-9-])`),
    check: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret),
  },
  { name: 'baidu-key', hints: ['bce-v3/'], pattern: /bce-v3\/ALTAK-[A-Za-z0-9]{16,}\/[a-f0-9]{30,}/ },
  {
    name: 'brave-key',
    hints: ['bsa'],
    pattern: new RegExp(`${WORD_START}BSA[A-Za-z0-9_-]{26,30}(?![A-Za-z0-9_-])`),
    check: (secret) => /\d/.test(secret),
  },
]
