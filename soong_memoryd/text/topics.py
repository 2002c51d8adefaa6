"""Words of one topic, in several languages: so that a question meets a note that says it in other words.

Owns: the table, as data for ``text.terms``. Must not know: how it is used or what a match is worth.
Everyday and technical topics only, nobody's own words. English words stand in full (they are stemmed when read); a hyphen
joins words that also occur apart or as one. A word may belong to several topics.
"""

from __future__ import annotations

import re

_TABLE = """
meeting: meeting meetings meet call schedule appointment calendar invite invitation standup sync 会议 开会 约 日程 预约
    安排时间 约时间 通话 termin besprechung réunion reunión 会議 予定 회의
working-time: hours timezone time-zone utc clock morning evening schedule available availability meeting appointment 上午 下午
    早上 时区 工作时间 上班 下班 几点 时间 作息 zeitzone arbeitszeit タイムゾーン
place: live lives located location city town country timezone address 住 居住 城市 所在地 在哪个城市 wohnt wohnort
date: date dates weekday calendar year 日期 几号 年份 datum fecha 日付
food: food vegetarian vegan restaurant recipe recipes dinner lunch breakfast snack snacks catering cook cooking eat meal meals
    dish lactose gluten allergy diet cuisine menu 吃 吃饭 餐厅 餐馆 菜谱 食谱 素食 午饭 午餐 晚饭 晚餐 早餐 做菜 乳糖 订餐
    点餐 饮食 口味 菜 essen rezept 料理 食事 レシピ
travel: travel trip journey train trains rail railway flight flights fly airplane airport hotel ticket tickets visit tour
    vacation holiday commute destination 旅行 出差 火车 高铁 飞机 机票 车票 航班 酒店 行程 旅游 交通 reise zug flug viaje
    voyage 出張
conference: conference conferences cfp talk talks speaker keynote call-for-papers proposal submit venue meetup 会议 大会 演讲
    投稿 征稿 议题 konferenz
team: team colleague colleagues coworker engineers reports lead leads leading manager member members headcount staff reviewer
    团队 小组 同事 组员 组长 带队 成员 几个人
occupation: role job profession occupation position engineer developer career title cv resume bio biography backend 职业 岗位
    工程师 做什么工作 简历 自我介绍 职位 beruf
skill: skill skills expert expertise beginner novice proficiency level experience experienced familiar advanced 熟悉 精通 新手
    水平 擅长 经验 技能 初学者
learning: learn learning study course tutorial tutorials book lesson teach exercise beginner introduction guide 学 学习 教程
    课程 入门 教材 自学 书 lernen 勉強
goal: goal goals objective target resolution ambition roadmap okr 目标 计划 打算 今年 ziel
name: name names nickname salutation greet greeting greetings address pronounce pronunciation dear 名字 姓名 称呼 叫 问候 昵称
    发音 开头
language: language languages chinese english german mandarin speak reply respond translate 语言 中文 英文 英语 汉语 回答 回复
    sprache 言語
handedness: left-handed lefthanded right-handed ergonomic ergonomics hand handed mouse trackpad shortcut shortcuts 左手 左撇子
    惯用手 鼠标 人体工学
accessibility: accessibility accessible colour-blind colorblind color-blind blind deuteranopia contrast readable palette
    colour colours color colors 色盲 色弱 无障碍 颜色 配色 对比度
health: health doctor allergy medicine sleep sport gym 健康 医生 过敏 运动 跑步 睡眠
family: family wife husband partner child kids son daughter parents birthday 家人 妻子 丈夫 孩子 女儿 儿子 父母 生日
pet: pet cat dog 宠物 猫 狗
music: music song songs playlist album piano guitar 音乐 歌 歌单
os: os operating-system linux windows macos mac arch ubuntu debian fedora distro distribution pacman apt aur kernel 操作系统
    什么系统 发行版 betriebssystem
install: install installation installer pacman apt brew aur winget package packages 安装 装
desktop: desktop laptop wayland sway compositor window-manager gnome kde i3 tiling notebook 桌面 笔记本 窗口管理器
shell: shell bash zsh fish powershell terminal command-line script scripts cli 脚本 终端 命令行 命令 skript
office-machine: office workplace work-pc work-machine corporate pc 公司电脑 办公室 办公电脑 工作电脑 büro
screen: screen monitor display dpi hidpi resolution scaling scale inch 4k font-size window-layout layout 屏幕 显示器 分辨率
    缩放 字号 bildschirm
hardware: hardware ram memory cpu gpu disk pc laptop computer machine server monitor 硬件 电脑 机器 内存 显卡 配置
server: server homelab home-server proxmox vm vms virtual-machine virtual-machines hypervisor nas self-host self-hosted
    selfhosted host 服务器 虚拟机 家里 自建 主机 heimserver
phone: phone mobile android ios iphone smartphone app apps grapheneos play-store 手机 安卓 移动端 应用 telefon handy
keyboard: keyboard keys keybinding keybindings key-bindings bindings shortcut shortcuts hotkey hotkeys keymap qwerty dvorak
    colemak 键盘 快捷键 按键 键位 绑定 tastatur
editor: editor editors ide vim neovim helix emacs vscode vs-code extension extensions plugin plugins theme edit edits 编辑器
    插件 主题
network: vpn network wifi proxy dns firewall remote remotely tunnel office-network 网络 远程 内网 代理 连接 外网 netzwerk
backup: backup backups restore snapshot 备份 恢复 快照
writing: write writing prose text essay article blog post document documents documentation report email letter draft chapter
    book manual readme newsletter announcement memo 写 写作 文章 文档 稿 邮件 报告 博客 文案 草稿 说明书 周报 公告 schreiben
    écrire escribir
book: book books chapter chapters manuscript novel author 书 书稿 章 章节 小说 kapitel buch 本
spelling: spelling spell british american grammar colour typo proofread 拼写 英式 美式 语法 校对
punctuation: punctuation dash dashes em-dash exclamation comma emoji emojis bullet bullets 标点 破折号 感叹号 表情 列表
citation: citation citations cite source sources footnote footnotes bibliography references claim 引用 出处 来源 参考文献 脚注
    链接
brevity: short concise brief terse verbose verbosity length summary summarise summarize conclusion detail detailed tldr 简短
    简洁 详细 长度 总结 概括 结论 啰嗦 kurz
paper: paper papers latex thesis journal manuscript academic publication preprint 论文 期刊 学术 投稿
chart: chart charts plot plots plotting graph graphs figure figures diagram visualise visualize visualisation visualization
    matplotlib seaborn plotly line-style 图表 图 画图 绘图 作图 可视化 折线图 柱状图 曲线 diagramm
slides: slides presentation deck powerpoint keynote 幻灯片 演示 ppt
notes: notes note notebook obsidian vault knowledge-base zettelkasten wiki 笔记 知识库 记录 notizen ノート
translation: translate translation translated translator 翻译 译文 übersetzung 翻訳
template: template templates boilerplate skeleton form 模板 模版 范本 vorlage
git: git commit commits committing push pushing pushed branch branches merge rebase pull-request pr remote stash 提交 推送
    分支 合并 推到 推上去 合入 コミット
commit-message: commit commit-message subject message changelog imperative 提交信息 提交说明 提交消息
review: review reviews reviewer reviewing pull-request pr audit approve 评审 审查 审核 代码审查 レビュー
comment: comment comments docstring docstrings annotate annotation 注释 kommentar コメント
code-style: code-style style convention conventions formatting guideline guidelines naming rules clean readable 风格 规范 约定
    格式 代码风格
test: test tests testing tested pytest unittest fixture fixtures suite spec tdd coverage ci 测试 单元测试 用例 单测 测一下
    テスト
bug: bug bugs defect regression fix fixing fixed broken crash crashes flaky failing failure debug issue 缺陷 修复 修 崩溃
    修一下 报错 调试 fehler バグ
plan: plan plans planning step steps approach strategy refactor refactoring redesign rewrite migrate migration restructure
    architecture 计划 步骤 方案 重构 规划 改造 大改 迁移
javascript: javascript js typescript ts node nodejs npm pnpm yarn bun react vue vite webpack next 前端 脚手架
dependency: dependency dependencies package packages package-manager packaging npm pnpm yarn pip poetry uv conda cargo lock
    lockfile virtualenv venv environment environments install 依赖 包 包管理 包管理器 安装 虚拟环境 环境 abhängigkeit
python: python py pip pytest django flask fastapi pandas numpy uv ruff
lint: lint linter linting ruff flake8 eslint black prettier formatter format formatting 格式化 代码检查 静态检查
frontend: frontend front-end ui css html web browser react 前端 页面 界面
backend: backend back-end service services microservice api server payment 后端 服务 服务端
dev-server: dev-server localhost dev local browser login log-in sign-in signin cookie cookies session port 本地 浏览器 登录
    登陆 开发环境 开发服务器 调试
api: api apis rest restful graphql endpoint endpoints openapi swagger http request response responses grpc webhook 接口 端点
    请求 响应
error: error errors exception exceptions failure failures panic status-code problem 错误 异常 报错 失败 出错 エラー
log: log logs logging logger structlog print stdout tracing 日志 打印 记录日志 ログ
sql: sql query queries select join joins table tables rows row postgres postgresql mysql sqlite truncate database db statement
    statements 查询 语句 数据库 表 行 データベース
database: database databases db schema schemas table tables column columns migration ddl postgres erd 数据库 表结构 结构 字段
    库 データベース
delete: delete deletes deleting deletion remove removing erase drop truncate clean cleanup clear purge wipe rm prune free 删除
    删 删掉 清理 清空 移除 清掉 löschen 削除
files: file files folder folders directory directories artefact artefacts artifact artifacts temporary temp tmp disk cache
    文件 目录 文件夹 磁盘 临时文件 datei ファイル
danger: safety dangerous destructive irreversible careful shared production prod staging drop truncate 危险 线上 生产 生产环境
    谨慎 不可逆
container: container containers docker dockerfile podman compose image images kubernetes k8s containerfile rootless oci 容器
    镜像 コンテナ
environment: staging production prod env environment environments url base-url preprod sandbox 预发 预发布 测试环境 生产环境
    线上 环境 地址
deploy: deploy deploys deployed deployment rollout ship release releasing window go-live maintenance 部署 上线 发布 发版 投产
    bereitstellen デプロイ
release: release releases release-notes changelog version versioning announce 发布 发版 版本 发布说明 更新日志 リリース
oncall: oncall on-call incident incidents runbook outage pager paged alert alerts duty emergency escalation 值班 故障 事故
    告警 运维手册 宕机 应急 报警 bereitschaft
monitoring: monitoring dashboard dashboards grafana prometheus latency metrics metric p99 slow performance throughput
    observability uptime 监控 面板 仪表盘 看板 延迟 指标 性能 慢 变慢
triage: triage assign assigned assignee assignees owner ticket tickets bug issue responsible 指派 分配 分派 负责人 归谁 工单
    zuweisen
security: security secure threat threats threat-model vulnerability vulnerabilities attack pentest audit cve exploit 安全 审计
    威胁 漏洞 攻击 威胁模型 sicherheit セキュリティ
payment: payment payments ledger billing posting postings transaction transactions accounting refund 支付 账本 付款 账务 记账
    退款 总账 zahlung
document: document documents documentation docs wiki guide handbook manual page specification howto how-to instructions 文档
    手册 指南 说明 资料 教程 在哪 anleitung
config: config configuration configure settings dotfiles options preferences 配置 设置 搭建 einstellung
cost: cost costs bill spend spending budget price expensive aws cloud invoice 成本 费用 账单 花费 预算 云费用 开销 kosten
expense: expense expenses reimburse reimbursed reimbursement receipt receipts per-diem allowance claim 报销 费用 发票 差旅费
    spesen 経費
policy: policy policies rule rules regulation guideline allowed 政策 规定 制度 规则
rust: rust cargo crate thiserror anyhow tokio borrow-checker
go: go golang goroutine
"""

TOPICS: tuple[tuple[str, str], ...] = tuple(re.findall(r"^([a-z-]+): (.*(?:\n    .*)*)", _TABLE, re.MULTILINE))
