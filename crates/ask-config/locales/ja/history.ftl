### History and statistics.

## The screen of history.

history-title = 質問の履歴
history-looking = 検索中 ...
history-reconnecting = 再接続中
history-search = 検索:
history-agent = エージェント:
history-project = プロジェクト:
history-state = 状態:
history-undelivered = エージェント未取得
history-period = 期間:
history-all = 全て
history-always = 全期間
history-days = 過去{ $count }日
history-today = 今日
history-yesterday = 昨日
history-empty = 終了した質問はありません。
history-nothing = 見つかりません。
history-asked = { $time } 質問
history-shown = { $time } { $surface } に表示
history-taken-back = { $time } 回答を取り消し
history-ended = { $time } { $how }
history-note = メモ
history-reason = 理由
history-not-sent = 未送信
history-asked-back = 聞き返し
history-whole = 履歴の質問
history-stats = 統計
history-head-answers = 回答内容
history-head-asked = 質問内容
history-head-reply = エージェントに渡した内容
history-again = 入力欄の { $key } で、まずこの言葉が出ます。
history-again-none = ここには自分の言葉の回答がありません。
history-writing = 書き出し中 ...
history-written = { $path } に{ $count }件の質問を書き出しました

## How an ask ended. The surfaces are terminal, plain, cli, dialog, pending, app, bridge, api, web, rpc and names of programs.

history-end-waiting = 待機中
history-end-answered = { $surface ->
    [api] プログラムで回答
    [cli] コマンドで回答
    [dialog] ダイアログで回答
    [pending] ファイルで回答
    [plain] プレーンで回答
    [terminal] ターミナルで回答
    [web] ブラウザーで回答
    [app] チャットで回答
    [bridge] アプリで回答
    [rpc] プログラムで回答
   *[other] { $surface } で回答
}
history-end-declined = { $surface ->
    [api] プログラムで辞退
    [cli] コマンドで辞退
    [dialog] ダイアログで辞退
    [pending] ファイルで辞退
    [plain] プレーンで辞退
    [terminal] ターミナルで辞退
    [web] ブラウザーで辞退
    [app] チャットで辞退
    [bridge] アプリで辞退
    [rpc] プログラムで辞退
   *[other] { $surface } で辞退
}
history-end-declined-because = 辞退:「{ $reason }」
history-end-asked-back = { $surface ->
    [api] プログラムで聞き返し
    [cli] コマンドで聞き返し
    [dialog] ダイアログで聞き返し
    [pending] ファイルで聞き返し
    [plain] プレーンで聞き返し
    [terminal] ターミナルで聞き返し
    [web] ブラウザーで聞き返し
    [app] チャットで聞き返し
    [bridge] アプリで聞き返し
    [rpc] プログラムで聞き返し
   *[other] { $surface } で聞き返し
}
history-end-expired = 期限切れ
history-end-expired-sent-late = 期限切れ、遅れて送信
history-end-expired-kept = 期限切れ、保存済み
history-end-withdrawn = エージェントが取り下げ
history-told = エージェントに送信 { $time }
history-told-late = 遅れて送信 { $time }
history-not-told = 未送信

## A history as Markdown.

export-none = いずれでもない。
export-unanswered = 未回答。
export-note = メモ: { $note }

## Statistics.

stats-asks = 質問{ $count }件
stats-brief = { $asks } · 回答率 { $answered } % · 中央値 { $median }
stats-row = { $label }: { $value }
stats-waiting = 待機中{ $count }件、最長 { $longest } · 今日の最長 { $today }
stats-waiting-none = 待機中なし
stats-waiting-none-today = 待機中なし · 今日の最長 { $today }
stats-outcomes = 結果
stats-end-answered = 回答
stats-end-late = 遅れ
stats-end-declined = 辞退
stats-end-asked-back = 聞き返し
stats-end-expired = 期限切れ
stats-end-withdrawn = 取り下げ
stats-days = 1日の質問数
stats-by-surface = 回答までの時間 (場所別)
stats-by-hour = 回答までの時間 (時間帯別)
stats-took = { $median }、9割は{ $ninety }以内 ({ $count })
stats-agents = エージェント別の回答
stats-nameless = 名前なし
stats-recommended = 推奨 { $part } %
stats-another = 他の選択肢 { $part } %
stats-own = 自由回答 { $part } %
stats-notes = メモ{ $count }件
stats-ask-backs = 聞き返し{ $count }件
