"""The token kinds that are known by their shape: one row each.

Owns: prefixes, alphabets and lengths of issued tokens. Must not know: sentences, keywords, config.
A row needs no quote, space or line end after the token: people write them before a comma, a bracket or a Chinese mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from soong_memoryd.text.secrets.values import is_issued


@dataclass(frozen=True, slots=True)
class Rule:
    """A shape: tried only where one of ``literals`` (lower case) stands in the lower-cased text.

    The secret is the group ``secret`` if the pattern has one, else the whole match; ``accepts`` judges it.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    accepts: Callable[[str], bool] = is_issued


_FREE = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"
_WORD = r"[A-Za-z0-9_\-]"


def _token(kind: str, literals: str, body: str, *, end: bool = False) -> Rule:
    """A row whose token starts after no letter or digit; ``end`` asks the same of what follows, for fixed lengths."""
    return Rule(kind, tuple(literals.lower().split()), re.compile(f"{_FREE}(?:{body}){_END if end else ''}"))


TOKEN_RULES: tuple[Rule, ...] = (
    # hosting and source control
    _token("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _token("github_pat", "github_pat_", r"github_pat_[A-Za-z0-9_]{40,255}"),
    _token(
        "gitlab_token",
        "gl gr1348941",
        rf"(?:gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-|GR1348941){_WORD}{{17,300}}(?:\.{_WORD}{{1,60}}){{0,3}}",
    ),
    _token("bitbucket_token", "atbb", r"ATBB[A-Za-z0-9]{28,40}", end=True),
    _token("atlassian_token", "atatt3 atctt3", r"AT[AC]TT3[A-Za-z0-9_\-=]{100,400}"),
    _token("netlify_token", "nfp_", r"nfp_[A-Za-z0-9]{36,60}"),
    _token("heroku_token", "hrku-", rf"HRKU-{_WORD}{{36,90}}"),
    _token("fly_token", "flyv1 fo1_", rf"(?:fm[12][a-z]?_[A-Za-z0-9+/=]{{60,1000}}|fo1_{_WORD}{{43}})"),
    # models
    _token("anthropic_key", "sk-ant-", rf"sk-ant-{_WORD}{{30,300}}"),
    _token("openrouter_key", "sk-or-", rf"sk-or-{_WORD}{{30,300}}"),
    _token("openai_key", "sk-", rf"sk-(?!ant-|or-)(?:proj-|svcacct-|admin-|None-|lf-|kimi-)?{_WORD}{{20,300}}"),
    _token("google_api_key", "aiza", rf"AIza{_WORD}{{35}}"),
    _token("huggingface_token", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{30,60}", end=True),
    _token("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{40,80}"),
    _token("xai_key", "xai-", r"xai-[A-Za-z0-9]{60,120}"),
    _token("perplexity_key", "pplx-", r"pplx-[A-Za-z0-9]{40,80}"),
    _token("tavily_key", "tvly-", r"tvly-[A-Za-z0-9\-]{28,80}"),
    _token("replicate_token", "r8_", r"r8_[A-Za-z0-9]{35,60}"),
    _token("fireworks_key", "fw_", r"fw_[A-Za-z0-9]{22,60}", end=True),
    _token("nvidia_key", "nvapi-", rf"nvapi-{_WORD}{{50,120}}"),
    _token("langsmith_key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _token("cerebras_key", "csk-", r"csk-[a-z0-9]{40,80}"),
    _token("voyage_key", "pa-", rf"pa-{_WORD}{{40,80}}"),
    _token("mem0_key", "m0-", r"m0-[A-Za-z0-9]{30,60}"),
    # clouds
    _token("aws_key_id", "akia asia abia acca a3t", r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}", end=True),
    _token("aws_bedrock_key", "absk bedrock-api-key-", r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{30,400}"),
    _token(
        "google_oauth", "ya29. gocspx- 1//0", rf"(?:ya29\.[A-Za-z0-9_.\-]{{30,400}}|GOCSPX-{_WORD}{{28}}|1//0{_WORD}{{38,200}})"
    ),
    _token("azure_client_secret", "q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.\-]{31,34}"),
    _token("alibaba_key_id", "ltai", r"LTAI[A-Za-z0-9]{16,24}", end=True),
    _token("tencent_key_id", "akid", r"AKID[A-Za-z0-9]{32}", end=True),
    _token("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _token("terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9=_\-]{60,120}"),
    _token("vault_token", "hvs. hvb. hvr.", rf"hv[sbr]\.{_WORD}{{24,300}}"),
    _token("doppler_token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{40,120}"),
    _token("pulumi_token", "pul-", r"pul-[a-f0-9]{40}", end=True),
    _token("databricks_token", "dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?", end=True),
    _token("planetscale_token", "pscale_", r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=\-]{30,120}"),
    _token("supabase_token", "sbp_ sb_secret_", rf"(?:sbp_[a-f0-9]{{40}}|sb_secret_{_WORD}{{20,80}})"),
    _token("openshift_token", "sha256~", rf"sha256~{_WORD}{{43}}"),
    _token(
        "onepassword_token",
        "ops_ey a3-",
        r"(?:ops_eyJ[A-Za-z0-9+/=_\-]{100,2000}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){2,5}[A-Z0-9]{5,11})",
    ),
    _token("age_key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    # chat and mail
    _token("slack_token", "xox xapp- xwfp-", r"(?:xox[abceoprs]|xapp|xwfp)-(?:[A-Za-z0-9]{1,60}-){0,6}[A-Za-z0-9]{10,200}"),
    _token("telegram_token", ":a", r"[0-9]{8,10}:A[A-Za-z0-9_\-]{34}(?![A-Za-z0-9_\-])"),
    _token("discord_token", "m n o", rf"[MNO][A-Za-z0-9_\-]{{23,27}}\.{_WORD}{{6}}\.{_WORD}{{27,40}}"),
    _token("sendgrid_key", "sg.", rf"SG\.{_WORD}{{16,24}}\.{_WORD}{{38,48}}"),
    _token("mailgun_key", "key-", r"key-[a-f0-9]{32}", end=True),
    _token("mailchimp_key", "-us", r"[a-f0-9]{32}-us[0-9]{1,2}", end=True),
    _token("brevo_key", "xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _token("twilio_key", "sk", r"SK[a-f0-9]{32}", end=True),
    # money and shops
    _token("stripe_key", "sk_ rk_ whsec_", r"(?:(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,200}|whsec_[A-Za-z0-9+/]{24,80})"),
    _token("square_token", "sq0 eaaa", rf"(?:sq0(?:atp|csp|idp)-{_WORD}{{22,60}}|EAAA{_WORD}{{60}})"),
    _token("shopify_token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _token("shippo_token", "shippo_", r"shippo_(?:live|test)_[a-f0-9]{40}"),
    _token("facebook_token", "eaa", r"EAA[A-Za-z0-9]{60,300}"),
    # packages and builds
    _token("npm_token", "npm_", r"npm_[A-Za-z0-9]{36}", end=True),
    _token("pypi_token", "pypi-", rf"pypi-AgE{_WORD}{{50,400}}"),
    _token("rubygems_key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _token("crates_token", "cio", r"cio[A-Za-z0-9]{32}", end=True),
    _token("nuget_key", "oy2", r"oy2[a-z0-9]{43}", end=True),
    _token("docker_token", "dckr_", rf"dckr_(?:pat|oat)_{_WORD}{{27,80}}"),
    _token("artifactory_token", "akcp cmvmdgtuo", r"(?:AKCp|cmVmdGtuO)[A-Za-z0-9]{50,120}"),
    _token("clojars_token", "clojars_", r"CLOJARS_[a-z0-9]{60}"),
    # work tools and observing
    _token("linear_key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,80}"),
    _token("notion_token", "ntn_ secret_", r"(?:ntn_[0-9]{9,11}[A-Za-z0-9]{30,50}|secret_[A-Za-z0-9]{43})", end=True),
    _token("figma_token", "figd_", rf"figd_{_WORD}{{38,80}}"),
    _token("postman_key", "pmak-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _token("sentry_token", "sntry", r"sntry[su]_[A-Za-z0-9+/=_\-]{40,400}"),
    _token("sourcegraph_token", "sgp_", r"sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}"),
    _token("grafana_token", "glsa_ glc_", r"(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{32,400})"),
    _token("newrelic_key", "nrak- nrii- nrjs- nrra-", r"NR(?:AK|JS|II|RA)-[A-Za-z0-9\-]{19,60}"),
    _token("posthog_key", "phx_", r"phx_[A-Za-z0-9]{40,60}"),
    _token("airtable_token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _token("dynatrace_token", "dt0c01.", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("contentful_token", "cfpat-", rf"CFPAT-{_WORD}{{43}}"),
    _token("readme_key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _token("salesforce_token", "00d", r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,200}"),
    # formats
    _token("jwt", "eyj", r"eyJ[A-Za-z0-9_\-]{8,8000}\.eyJ[A-Za-z0-9_\-]{8,8000}(?:\.[A-Za-z0-9_\-]{0,1500})?"),
)
"""Every kind once; the first of two rows that match the same span names it."""
