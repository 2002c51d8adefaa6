"""Words that mean the same, in English and Chinese: so that a question meets a note in the other language by the word itself.

Owns: the table, as data for ``text.terms``. Must not know: how it is used or what a match is worth.
One group a line, and only what may stand for each other in most sentences: words that are merely about the same thing belong
into ``text.topics``. Hyphens as there. A word stands in one group.
"""

from __future__ import annotations

_TABLE = """
meeting 会议 开会
minutes meeting-notes 纪要 会议纪要 会议记录
agenda 议程
appointment 预约
calendar 日历
reminder 提醒
deadline 截止 截止日期 期限
weekend 周末
holiday vacation 假期 休假 度假
birthday 生日
timezone time-zone 时区
date 日期
recipe 菜谱 食谱
restaurant 餐厅 餐馆 饭店
breakfast 早餐 早饭
lunch 午餐 午饭
dinner 晚餐 晚饭
vegetarian 素食 吃素
coffee 咖啡
tea 茶 喝茶
allergy allergic 过敏
medicine 吃药
doctor 医生
hospital 医院
sleep 睡眠 睡觉
running jogging 跑步
marathon 马拉松
bike bicycle cycling 自行车 骑车
swimming 游泳
hiking 徒步 爬山
fitness gym 健身
travel 旅行 旅游
business-trip 出差
train 火车 高铁
flight 航班 飞机 机票
hotel 酒店 宾馆
car 汽车 开车
commute 通勤
photo photography 照片 摄影 拍照
camera 相机
music 音乐
piano 钢琴
guitar 吉他
movie film 电影
game 游戏
chess 国际象棋 象棋
novel 小说
poem poetry 诗 诗歌
cat 猫 猫咪
dog 狗
plant 植物
garden 花园 园艺
balcony 阳台
kitchen 厨房
wife 妻子 太太
husband 丈夫
parents 父母
daughter 女儿
son 儿子
child kid 孩子
family 家人 家庭
friend 朋友
tax 税 报税 税务
invoice 发票 开票
receipt 收据
expense reimbursement 报销
budget 预算
cost 成本 费用
salary 工资 薪水
bank 银行
insurance 保险
contract 合同
customer client 客户
supplier vendor 供应商
company 公司
office 办公室
team 团队
colleague 同事
manager 经理
interview 面试
hiring recruiting 招聘
resume cv 简历
email mail 邮件
signature 签名
letter 信件
blog 博客
article 文章
paper 论文
book 书 书籍
chapter 章 章节
title 标题
paragraph 段落
summary 摘要 总结
report 报告
weekly-report 周报
newsletter 简报 通讯
draft 草稿
slides presentation 幻灯片 演示
podcast 播客
video 视频
subtitle caption captions 字幕
translation translate 翻译
dictionary 词典 字典
grammar 语法
vocabulary 词汇 单词
pronunciation 发音
chinese 中文 汉语
english 英文 英语
german 德语 德文
french 法语 法文
japanese 日语 日文
course 课程
tutorial 教程
exercise 练习
exam 考试
goal 目标
learning learn 学习
notes note 笔记
knowledge-base 知识库
template 模板
figure chart 图表
table 表格
colour color 颜色 配色
font 字体
unit 单位
screen 屏幕 显示器
keyboard 键盘
mouse 鼠标
shortcut hotkey 快捷键
printer 打印机
phone 手机
laptop 笔记本电脑
headphones 耳机
battery 电池
sensor 传感器
smart-home home-automation 智能家居
router 路由器
network 网络
proxy 代理
firewall 防火墙
password 密码
credentials credential 凭据 凭证
secret secrets 密钥
permission permissions 权限
login sign-in 登录 登陆
account 账号 账户
user-interface ui 界面
dark-mode 深色模式 暗色模式
accessibility 无障碍
homepage 首页
website 网站
browser 浏览器
domain 域名
certificate 证书
server 服务器
virtual-machine vm 虚拟机
container 容器
image 镜像
cluster 集群
kubernetes k8s
cloud 云 云端
bucket 存储桶
backup 备份
snapshot 快照
restore 恢复
disk 磁盘
memory ram 内存
gpu 显卡
operating-system os 操作系统
terminal 终端
shell-script 脚本
editor 编辑器
plugin extension 插件
theme 主题
file 文件
folder directory 目录 文件夹
path 路径
link 链接
repository repo 仓库 代码库
branch 分支
commit 提交
push 推送
merge 合并
rebase 变基
pull-request merge-request 合并请求
review 评审 审查
changelog 更新日志
release 发布 发版
version 版本
deploy deployment 部署 上线
rollback 回滚
staging 预发 预发布
production prod 生产 生产环境
environment 环境
pipeline 流水线
build 构建
compiler compile 编译
package 软件包
dependency 依赖
licence license 许可证
function 函数
variable 变量
module 模块
interface 接口
parameter 参数
comment 注释
naming 命名
refactor refactoring 重构
format formatting 格式化
error 错误
exception 异常
retry retries 重试
timeout 超时
log logs logging 日志
test tests 测试
unit-test 单元测试
load-test 压测 压力测试
coverage 覆盖率
benchmark 基准测试
performance 性能
latency 延迟
cache 缓存
concurrency concurrent 并发
parallel 并行
asynchronous async 异步
thread 线程
queue 队列
message 消息
event 事件
database db 数据库
schema 表结构
migration 迁移
index 索引
query 查询
transaction 事务
delete deletion 删除 删掉
idempotent 幂等
search 搜索
algorithm 算法
encryption encrypt 加密
security 安全
vulnerability 漏洞
threat 威胁
privacy 隐私
audit 审计
monitoring 监控
dashboard 仪表盘 看板
alert 告警 报警
incident outage 故障 事故
on-call 值班
ticket 工单
bug 缺陷
frontend front-end 前端
backend back-end 后端
architecture 架构
design 设计
requirement requirements 需求
documentation docs 文档
manual 手册
config configuration settings 配置
data 数据
dataset 数据集
statistics 统计 统计学
probability 概率
machine-learning ml 机器学习
model 模型
baseline 基线
experiment 实验
random-seed seed 随机种子
chart-axis axis 坐标轴
citation reference 引用
bibliography 参考文献
payment 支付 付款
order 订单
refund 退款
price 价格
warehouse 仓储
stock 库存
firmware 固件
embedded 嵌入式
mobile 移动端
spreadsheet excel 电子表格
plan 计划
"""

SYNONYMS: tuple[tuple[str, ...], ...] = tuple(tuple(line.split()) for line in _TABLE.split("\n") if line)
