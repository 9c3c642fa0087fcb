### The list of asks.

## Its head. Counts stand side by side, with dots between them.

inbox-looking = 検索中 ...
inbox-reconnecting = 再接続中
inbox-muted = 通知オフ
# $address is where the page is, as 127.0.0.1:4127.
inbox-web = Web { $address }
inbox-count-waiting = 待機{ $count }件
inbox-count-snoozed = 後回し{ $count }件
inbox-count-late = 遅れ{ $count }件
inbox-count-answered = 今日の回答{ $count }件
inbox-fit = { $count }/{ $all } 件

## Its groups

inbox-group-waiting = 待機中
inbox-group-snoozed = 後回し
inbox-group-late = 遅れ  エージェントは待機終了。回答は再質問まで保存されます
inbox-group-kept = 保存済み  回答済み、エージェントは未取得
inbox-group-sent = 送信済み  まもなくエージェントに届きます
# The same in at most 40 columns.
inbox-group-late-short = 遅れ  待機終了、回答は保存
inbox-group-kept-short = 保存済み  エージェントは未取得
inbox-sorted = 並び: 期限順、次に古い順

## Where it is empty

inbox-none = 待っている質問はありません。
inbox-none-yet = 新しい質問は自動でここに表示されます。
inbox-none-fit = 該当なし。
inbox-none-fit-yet = { $key } で全件表示に戻ります。

## What kind of question it is, in at most ten columns.

inbox-kind-confirm = 確認
inbox-kind-one = 単一選択
inbox-kind-many = 複数選択
inbox-kind-text = 記述
inbox-kind-several = { $count }タブ

## What is worth knowing about an ask, in at most eleven columns. $at is a time of day.

inbox-mark-back = 再開 { $at }
inbox-mark-back-when-asked = 再質問まで
inbox-mark-answered = 回答済み
inbox-mark-declined = 辞退
inbox-mark-asked-back = 聞き返し
inbox-mark-expired = 期限切れ
inbox-mark-withdrawn = 取り下げ
# In place of these: a program that an agent had started closed the ask.
inbox-mark-below-agent = AI経由
inbox-mark-due = 期限
inbox-mark-due-in = 残り{ $time }
inbox-mark-dialog = 他でも表示
inbox-mark-handed = 別画面で
inbox-mark-draft = 下書{ $given }/{ $asked }
inbox-mark-asked-again = 再質問
inbox-mark-preview = プレビュー

## The ask under the cursor: who asks, where, and what.

inbox-asked-by = { $name } からの質問
inbox-asked-by-client = { $name } からの質問 (名前はクライアントによる)
inbox-asked-from-shell = シェルからの質問
inbox-calls-itself = 自称「{ $agent }」
inbox-session = セッション { $session }
inbox-branch = ブランチ { $branch }
inbox-this-machine = このマシン
inbox-context = 背景
inbox-question = 質問
inbox-asked-again = エージェントが再び質問しました。
inbox-in-dialog = { $client } にも表示中。先の回答が有効です。
inbox-in-client = いま { $client } で質問中。ここでの回答は保存され、戻ってきたときに有効になります。
inbox-snoozed-until = { $at } まで後回し。{ $key } で元に戻します。
inbox-snoozed-until-asked = エージェントの再質問まで後回し。{ $key } で元に戻します。
# Under a text that is longer than the room for it.
inbox-read-all = { $key } 全文 ({ $count }行)

## Putting aside, in a dialog. $at is a time of day.

inbox-snooze-title = 後回し (エージェントには伝わりません)
inbox-snooze-minutes = { $count }分 ({ $at } まで)
inbox-snooze-hour = 1時間 ({ $at } まで)
# The same where there is no room for the time of day.
inbox-snooze-minutes-short = { $count }分
inbox-snooze-hour-short = 1時間
inbox-snooze-tomorrow = 明日 { $at }
inbox-snooze-asked-again = このエージェントが再び質問するまで
inbox-snooze-says = 「後回し」に入ります。{ $key } で元に戻せます。
inbox-sessions = ページにサインイン中のブラウザーとデバイス
inbox-sessions-none = サインイン中のブラウザーはありません。{ $key } でサインイン用のリンクを表示します。
inbox-sessions-here = 接続中
inbox-sessions-seen = 最終接続 { $at }
inbox-sessions-all = すべてからサインアウト
inbox-sessions-sure = { $name } をサインアウトしますか? すぐに切断され、これまでの回答は残ります。{ $key } で実行します。
inbox-sessions-sure-all = このコンピューターのすべてのブラウザーをサインアウトし、すべてのデバイスを切断しますか? これまでの回答は残ります。{ $key } で実行します。

## What became of what was just done

inbox-said-snoozed = { $at } まで後回しにしました。{ $key } で戻せます。
inbox-said-snoozed-until-asked = 再質問まで後回しにしました。{ $key } で戻せます。
inbox-said-back = 待機中に戻しました。
inbox-said-more-time = { $time } 延長: 期限 { $at }。
inbox-said-typing = 入力中のため { $time } 延長: 期限 { $at }。
inbox-said-no-more-time = これ以上は延長できません: 期限 { $at }。
inbox-said-no-deadline = 期限はありません。回答を待ちます。
inbox-said-nothing-to-take-back = 取り消せる回答はありません。
inbox-said-taken-back = 取り消しました。何も送信していません。変更して送り直せます。
inbox-said-web-none = Web ページはありません。http.enabled が false です。
inbox-said-web-narrow = リンクがこのターミナルの幅を超えます。`ask-user web` で表示します。
# $why is a sentence without its full stop, in English.
inbox-said-web-failed = Web ページへのリンクを作れません: { $why }
inbox-said-muted = 通知をオフにしました。{ $key } で再びオン。
inbox-said-unmuted = 通知をオンに戻しました。
inbox-said-failed = 失敗しました: { $why }.
inbox-said-damage = データベースが壊れたか、失われました。その内容はここにありません。詳細は `ask-user doctor`。
inbox-said-settings = config.toml: 使えない設定が{ $count }件あります。詳細は `ask-user doctor`。

## A card whose ask is filled in elsewhere, too. $surface is where, $at the time of day.

inbox-changed-elsewhere = { $surface } で変更 { $at }、{ $key } で読み込む
inbox-changed-here = { $surface } で変更 { $at }、{ $key } で自分の内容に戻す
