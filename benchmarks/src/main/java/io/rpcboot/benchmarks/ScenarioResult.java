package io.rpcboot.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * What one scenario gave.
 *
 * @param scenario the scenario
 * @param turns of each system that was measured to the end, one a round
 * @param failures of the other systems, why
 */
record ScenarioResult(Scenario scenario, Map<String, List<Turn>> turns, Map<String, String> failures) {

}
