"""Turkish phrases."""

from soong_memoryd.text.intent.phrases import Phrases

_HORIZON = (
    r"(?:bundan (?:sonra|böyle)|şu andan itibaren|bugünden itibaren|artık|gelecekte|ileride|bir dahaki sefere"
    r"|bir daha(?: asla)?|gelecek sefer|tüm (?:oturumlarda|projelerde|sohbetlerde)|ikinci bir emre kadar)"
)
_ME = r"(?:ben|benim|bana|beni|bende|\w{2,}(?:[ıiuü]m|[aeıiuü]m|yorum|[dt][ıiuü]m))\b"
_ORDER = (
    r"(?:kullan|yaz|cevapla|cevap ver|yanıtla|yanıt ver|yap|sor|kontrol et|ekle|konuş|çalıştır|commit|gönder|göster"
    r"|açıkla|kaçın|onay al|hitap et|unutma|\w+m[ae](?:yın|yin|yınız|yiniz)?|\w+(?:ın|in|un|ün)|olsun|et|ver|tut|söyle"
    r"|istiyorum|başla|\w+sın)\s*(?:lütfen)?\s*(?:$|[.!,])"
)

TURKISH = Phrases(
    language="tr",
    hints=(
        "hatırla|unutma|aklında|aklinda|not al|not et|not düş|kaydet|hafıza|bellek|belleğ|bil |bilgin olsun|bundan"
        "|itibaren|artık|gelecekte|ileride|dahaki|bir daha|sefer|tüm |her zaman|daima|asla|hiçbir zaman|hep |tercih"
        "|severim|sevmem|favori|nefret|sormadan|onayım|izin|her seferinde|varsayılan|seviyorum|sakla"
    ),
    wishes=(
        r"(?:^|[,.:;\s])(?:lütfen )?(?:şunu |bunu )?(?:hatırla|unutma|aklında tut|not al|not et|aklında bulunsun"
        r"|aklında olsun|bilgin olsun|kaydet)\s?[:,]\s*.{0,60}\b(?:ben|benim|bana|\w{2,}(?:yorum|[ıiuü]m))\b",
        r"\b(?:ben|benim|bana|beni|\w{2,}(?:[ıiuü]m[ıiuü]|[dt][ıiuü][gğ][ıiuü]m[ıiuü]))\b.{0,60}\b(?:hatırla|unutma"
        r"|aklında tut|not al|not et|aklında bulundur|kaydet)\b",
        r"\b(?:hafızana|belleğine|hafızaya|tercihlerime|tercih olarak|kural olarak)\b.{0,20}\b(?:kaydet|ekle|al|yaz)\b",
        rf"(?:^|[,.;\s])(?:her zaman|daima|asla|hiçbir zaman|hep|her seferinde)\s(?:\S+ ){{0,9}}?{_ORDER}",
        rf"(?:bana sormadan|sormadan|onayım olmadan|iznim olmadan|onay almadan|izin almadan).{{1,60}}?{_ORDER}",
    ),
    rules=(
        rf"(?:^|[,.;\s]){_HORIZON},?\s(?:\S+ ){{0,10}}?{_ORDER}",
        rf"{_HORIZON} (?:her zaman|hep|sadece|lütfen|bana|asla)\b",
    ),
    preferences=(
        r"\b(?:tercih ederim|tercih ediyorum|tercihim|daha çok (?:severim|seviyorum)|nefret ederim)\b|\b(?:her zaman"
        r"|genelde|genellikle|hep) (?:\S+ ){1,4}(?:kullanırım|yazarım|çalışırım|kullanıyorum)\b|\b(?:kısa|uzun|sade"
        r"|detaylı) \S+ (?:severim|seviyorum|sevmem)\b|\bfavori \S+m\b",
    ),
    requests=(
        r"\b(?:hatırlar|not alır|kaydeder|unutmaz|aklında tutar) ?(?:mısın|misin|musun)\b",
        rf"{_HORIZON}.{{2,60}}\b(?:mısın|misin|musun|müsün)\b",
    ),
    keeps=(
        r"(?:^|[,.!]\s?|\b(?:lütfen|evet|tamam) )(?:bunu|şunu|onu|bu (?:linki|bağlantıyı|adresi|bilgiyi)|o (?:linki"
        r"|bağlantıyı))(?: \w+)?(?: lütfen| iyi)* (?:hatırla|unutma|not al|not et|kaydet|aklında tut|sakla"
        r"|bir yere yaz)(?: lütfen)?\s*(?:[,.!]|$)",
    ),
    one_off=(
        r"\b(?:bu (?:pr|dal|commit|dosya|görev|fonksiyon|test|modül|sayfa)\w*|bu sefer|bu seferlik|şimdilik|bugünlük"
        r"|bitirmeden önce|işin bitince)\b",
    ),
    choices=(
        r"\b(?:seçenek|seçeneği|varyant|versiyon)\b|\b(?:birinci|ikinci|son|üçüncü|diğer)\w*\b|\b(?:bunu|şunu"
        r"|onu) tercih\b",
    ),
    vetoes=(
        r"\b(?:rol yap|gibi davran|eğlencesine|bu (?:sohbette|oturumda|konuşmada)|sen (?:artık )?bir)\b"
        r"|\b(?:patron\w*|öğretmen\w*|arkadaşım|dokümantasyon|makale|annem)\b.{0,30}\b(?:dedi|diyor|yazıyor"
        r"|söyledi)\b|\b(?:dedi|diyor|yazıyor)\b",
        r"\b(?:kullanıcı\w*|müşteri\w*|beni hatırla|şifreyi hatırla|onay kutusu|buton\w*)\b|\bhatırlıyor mus\w+\b"
        r"|\bhatırlıyorum\b|\bunuttum\b|\b(?:nasıl|neden|niye|ne demek)\b",
        r"\b(?:her zaman|hep|asla|sürekli) (?:\S+ )?(?:null|döndürüyor|hata|çöküyor|başarısız|dönüyor)\b"
        r"|\bher zamanki gibi\b|\bgeç olsun\b|\bartık (?:çalış|yok|değil|olmuyor|gerek)\w*",
    ),
    roles=(r"^(?:bundan sonra |şu andan itibaren )?(?:sen (?:artık )?bir|.{1,30} gibi davran|rol yap)",),
    handovers=(r"\b(?:çevir|özetle|düzelt|yeniden yaz)\b[^:]{0,60}:",),
    tags=(r"(?:tamam mı|olur mu|anlaştık mı|tamam|lütfen|ok)\s?\?+$",),
    assents=(
        "evet|tamam|olur|peki|tabii|tabi|elbette|doğru|teşekkürler|teşekkür ederim|sağol|harika|devam|devam et"
        "|onaylıyorum|aynen|kesinlikle|iyi|hayır"
    ),
)
