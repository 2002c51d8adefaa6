"""Vietnamese phrases."""

from soong_memoryd.text.intent.phrases import CLAUSE, Phrases

_CLAUSE_STARTS = r"(?:^|[,;:(—–.]\s?|\b(?:và|nhưng|hãy|xin|làm ơn|vui lòng|cũng|ok|vâng|không|được|cảm ơn|bạn|nhớ là)[,:]?\s)"
_ME = r"(?:tôi|mình|tớ|em|anh|chúng tôi|của tôi|team tôi)\b"
_HORIZON = (
    r"(?:từ (?:bây giờ|giờ|nay|hôm nay|lúc này)(?: trở đi| về sau)?|kể từ (?:bây giờ|nay|hôm nay)|sau này|về sau"
    r"|trong tương lai|(?:những )?lần (?:sau|tới)|mai sau|đừng bao giờ)"
)
_DO = (
    r"(?:hãy|đừng|luôn|không|chỉ|phải|dùng|viết|trả lời|hỏi|nhớ|xin|bạn|gọi|cứ|nói|thêm|kiểm tra|chạy|giải thích|giữ"
    r"|sử dụng|tôi muốn|mình muốn|commit|push|tránh|ưu tiên|vui lòng)\b"
)

VIETNAMESE = Phrases(
    language="vi",
    clause_starts=_CLAUSE_STARTS,
    hints=(
        "nhớ|ghi |lưu|đừng quên|quên|từ giờ|từ bây giờ|từ nay|từ hôm|từ lúc|kể từ|sau này|về sau|tương lai|lần sau"
        "|lần tới|luôn|đừng bao giờ|không bao giờ|thích|ưu tiên|ghét|thường|mỗi khi|mỗi lần|trừ khi|nếu chưa|khi chưa"
        "|mà không|trước khi|mặc định|bộ nhớ"
    ),
    wishes=(
        rf"{CLAUSE}(?:nhớ|ghi nhớ|hãy nhớ|đừng quên|lưu ý|ghi lại|nhớ giúp|nhớ giùm|lưu lại|nhớ cho)(?: rằng| là"
        rf"| giúp| cho| kỹ| giùm|:|,)*\s*{_ME}",
        r"\b(?:lưu|thêm|ghi|cho)\b.{0,50}\b(?:vào|như|thành) (?:bộ nhớ|trí nhớ|sở thích|hồ sơ|quy tắc)\b",
        rf"{CLAUSE}(?:luôn(?: luôn)?|đừng bao giờ|không bao giờ được|không được)\s(?:\S+ ){{0,2}}?{_DO}",
        r"^(?:đừng|không được|không)\b.{2,60}\b(?:mà không hỏi|nếu (?:tôi |mình )?chưa|khi (?:tôi |mình )?chưa"
        r"|trừ khi (?:tôi|mình)|trước khi hỏi|mà chưa hỏi)",
        rf"{CLAUSE}(?:mỗi khi|mỗi lần|bất cứ khi nào) .{{3,60}}?,? (?:hãy|luôn|đừng|phải)\b",
    ),
    rules=(
        rf"{CLAUSE}{_HORIZON},?\s*(?!(?:nó|máy chủ|ứng dụng|có thể)\b)(?:\S+\s){{0,5}}?{_DO}",
        rf"^(?:hãy |xin |vui lòng |đừng |luôn )?(?:dùng|viết|trả lời|gọi|nói|hỏi|sử dụng|commit"
        rf"|giải thích)\b.{{1,80}}\b{_HORIZON}",
    ),
    preferences=(
        rf"\b{_ME} (?:luôn |rất |thường |không |cực kỳ )*(?:thích|ưa|ghét|ưu tiên|chuộng)\b.{{0,40}}(?:hơn|câu trả lời"
        rf"|code|ngắn|dài|gọn|chi tiết|khi|bảng)|\b{_ME} (?:thường|luôn|hay) (?:dùng|viết|làm việc)\b"
        rf"|\bsở thích của (?:tôi|mình) là\b",
    ),
    requests=(
        rf"\b(?:bạn )?có thể (?:nhớ|ghi nhớ|lưu|ghi lại)(?: rằng| là| giúp|:)*\s*(?:{_ME}|điều này|cái này"
        rf"|link này)",
        rf"\bcó thể .{{2,60}}\b{_HORIZON}|{_HORIZON}.{{0,6}}có thể",
    ),
    keeps=(
        rf"{CLAUSE}(?:nhớ|ghi nhớ|lưu|ghi lại|lưu lại|giữ|đừng quên|nhớ lấy|hãy nhớ|ghi) (?:lại )?(?:điều (?:này|đó)"
        rf"|cái (?:này|đó)|link (?:này|đó)|đường dẫn (?:này|đó)|địa chỉ (?:này|đó)|nhé|thông tin này)(?: (?:nhé"
        rf"|giúp (?:tôi|mình)|cho lần sau|lại))*\s*(?:[,.!]|$|để\b)",
    ),
    one_off=(
        r"\b(?:pr|nhánh|commit|tệp|file|tác vụ|hàm|trang|bài|lần) này\b|\b(?:tạm thời|hiện tại|chỉ hôm nay"
        r"|trước khi xong|xong việc)\b",
    ),
    choices=(r"\b(?:phương án|lựa chọn|phiên bản|cách|bản) (?:\d|[a-d]\b|này|đó|đầu|thứ|hai|một)|\bthích (?:cái|bài|ý tưởng)",),
    vetoes=(
        r"\b(?:đóng vai|giả vờ|cho vui|trong (?:cuộc trò chuyện|đoạn chat|phiên) này|bạn là (?:một|chuyên gia))\b"
        r"|\b(?:sếp|thầy|cô|mẹ|bạn tôi|đồng nghiệp|tài liệu|bài viết|sách|họ)\b.{0,20}\b(?:nói|bảo|viết|dặn)\b",
        r"\b(?:người dùng|khách hàng|ghi nhớ đăng nhập|nhớ mật khẩu|lưu mật khẩu|nút|ô chọn)\b|\b(?:có nhớ|còn nhớ"
        r"|nhớ không|tôi nhớ|mình nhớ|tôi quên|làm sao|tại sao|thế nào|là gì)\b",
        r"\bluôn (?:trả về|lỗi|bị|hiện|null|báo)\b|\bkhông bao giờ (?:được gọi|chạy|trả về|hoạt động)\b|\bnhư mọi khi\b",
    ),
    roles=(r"^(?:từ (?:bây giờ|giờ)(?: trở đi)?,? )?(?:bạn là (?:một|chuyên gia|thuyền trưởng)|hãy đóng vai|đóng vai)",),
    handovers=(r"\b(?:dịch|tóm tắt|viết lại|sửa lại|sửa ngữ pháp)\b[^:]{0,60}:",),
    tags=(r"(?:nhé|được không|được chứ|ok|nha|hiểu chưa)\s?\?+$",),
    assents=("vâng|ừ|ok|được|đúng|đúng rồi|tốt|cảm ơn|dạ|tiếp tục|tiếp đi|đồng ý|chắc chắn|tuyệt|rồi"),
)
