### Words that several surfaces share: who asks, how it ended, what was answered.

## Who asks

shared-an-agent = エージェント
shared-agent-left = エージェントは待つのをやめました。回答は保存されます。
# $ago is a short time as in "2m" or "1h".
shared-earlier-answer = { $ago }前にこう回答しました: { $answer }
shared-earlier-answer-none = ここに入力できる以前の回答はありません。
shared-filled-in-below = あなたの入力ではありません。{ $agent } の下のプログラムが入力しました。送信前に確認してください。
shared-filled-in-by = あなたの入力ではありません。{ $agent } の下のプログラムが入力しました。

## What can be chosen

shared-other = その他 (自由回答)
shared-yes = はい
shared-no = いいえ
shared-none-of-these = いずれでもない
# Behind what was chosen: the person's own words besides.
shared-own-answer = + 自由回答: { $words }
# Between the thousands of a number.
shared-thousands-mark = ,

## While answers are given

shared-field-full = 入力欄がいっぱいです (256 KiB)。これ以降は入りません。
shared-not-sent = 入力内容は送信していません。
shared-nothing-chosen = 未選択: もう一度 { $enter } で「いずれでもない」を送信
# The same where other questions follow.
shared-nothing-chosen-here = 未選択: もう一度 { $enter } で「いずれでもない」、{ $tab } で飛ばす

## How an ask was closed. $surface is where: terminal, plain, cli, dialog, pending, api, app, bridge, web, rpc, "none", or another that $name names; $at is the time of day.

shared-closed-answered = { $surface ->
    [none] 回答済み  { $at }
    [cli] コマンドで回答済み  { $at }
    [dialog] ダイアログで回答済み  { $at }
    [pending] ファイルで回答済み  { $at }
    [plain] プレーンで回答済み  { $at }
    [terminal] ターミナルで回答済み  { $at }
    [api] プログラムで回答済み  { $at }
    [app] チャットで回答済み  { $at }
    [bridge] アプリで回答済み  { $at }
    [rpc] プログラムで回答済み  { $at }
    [web] ブラウザーで回答済み  { $at }
   *[other] { $name } で 回答済み  { $at }
}
shared-closed-declined = { $surface ->
    [none] 辞退  { $at }
    [cli] コマンドで辞退  { $at }
    [dialog] ダイアログで辞退  { $at }
    [pending] ファイルで辞退  { $at }
    [plain] プレーンで辞退  { $at }
    [terminal] ターミナルで辞退  { $at }
    [api] プログラムで辞退  { $at }
    [app] チャットで辞退  { $at }
    [bridge] アプリで辞退  { $at }
    [rpc] プログラムで辞退  { $at }
    [web] ブラウザーで辞退  { $at }
   *[other] { $name } で 辞退  { $at }
}
shared-closed-asked-back = { $surface ->
    [none] 聞き返し  { $at }
    [cli] コマンドで聞き返し  { $at }
    [dialog] ダイアログで聞き返し  { $at }
    [pending] ファイルで聞き返し  { $at }
    [plain] プレーンで聞き返し  { $at }
    [terminal] ターミナルで聞き返し  { $at }
    [api] プログラムで聞き返し  { $at }
    [app] チャットで聞き返し  { $at }
    [bridge] アプリで聞き返し  { $at }
    [rpc] プログラムで聞き返し  { $at }
    [web] ブラウザーで聞き返し  { $at }
   *[other] { $name } で 聞き返し  { $at }
}
shared-closed-expired = 期限切れ  { $at }
shared-closed-withdrawn = エージェントが取り下げ  { $at }
shared-no-reason = 理由はありません。
shared-reason = 理由: { $reason }
shared-asked-back = 聞き返し: { $words }
shared-time-passed = エージェントの制限時間が過ぎ、そのことだけが伝えられました。
shared-taken-back = エージェントが質問を取り下げました。

## What became of what the person just did. $who is who asks.

shared-done-waiting = 保留中です。下書きは残っています。
shared-done-answered = { $who } に回答を送信しました。
shared-done-declined = 辞退しました。{ $who } に伝わります。
shared-done-asked-back = { $who } に質問を送りました。
shared-done-expired = 期限切れです。
shared-done-withdrawn = エージェントが取り下げました。
shared-kept-answer = { $who } は待つのをやめたため、回答を保存しました。
shared-kept-no = { $who } は待つのをやめたため、辞退を保存しました。
shared-kept-question = { $who } は待つのをやめたため、質問を保存しました。

## Lengths of time, as narrow as people write them: they stand in columns. $rest has two digits.

shared-seconds = { $count }秒
shared-minutes = { $count }分
shared-hours = { $count }時間
shared-days = { $count }日
shared-minutes-seconds = { $whole }分{ $rest }秒
shared-hours-minutes = { $whole }時間{ $rest }分
shared-days-hours = { $whole }日{ $rest }時間
shared-day = { $month }月{ $day }日

## Where something was done or shown, where it is named alone.

shared-below-agent = { $agent } の下で起動
shared-surface = { $surface ->
    [api] プログラム
    [app] チャット
    [bridge] アプリ
    [cli] コマンド
    [dialog] ダイアログ
    [pending] ファイル
    [plain] プレーン
    [rpc] プログラム
    [terminal] ターミナル
    [web] ブラウザー
   *[other] { $surface }
}
